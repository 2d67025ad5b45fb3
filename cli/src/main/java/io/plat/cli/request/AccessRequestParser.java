package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.PlainPath;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of {@code VERB RESOURCE[.GROUP][/NAME]} and {@code VERB /path} in kubectl's grammar, and of {@code METHOD URL}.
 *
 * <p>Three cases differ from kubectl, each with a warning: a NAME that is a known subresource means the subresource; a cluster-scoped type never
 * has a namespace; {@code *} as the resource means every group too.
 */
public final class AccessRequestParser {
    private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?");
    private static final Pattern ORIGIN = Pattern.compile("(?i)https?://[^/?#]*+");
    private static final String ANY = "*";

    private final ResourceTypes types;
    private final ResourceTypes.AdditionalTypes additional;

    /** Creates a parser with types; any other word is passed on unchanged. */
    public AccessRequestParser(ResourceTypes types) {
        this(types, ResourceTypes.AdditionalTypes.NONE);
    }

    /** Creates a parser that looks up other names among additional types. */
    public AccessRequestParser(ResourceTypes types, ResourceTypes.AdditionalTypes additional) {
        this.types = types;
        this.additional = additional;
    }

    /**
     * Parses a request.
     *
     * @throws CommandException with the status of a wrong command line if it is invalid
     */
    public AccessRequest parse(String verb, String target, Scope scope) {
        if (verb.isEmpty() || target.isEmpty()) {
            throw CommandException.usage("expected VERB and RESOURCE or /path, found an empty argument");
        }
        if (ORIGIN.matcher(target).lookingAt()) {
            return path(verb, pathOf(target), scope);
        }
        return target.startsWith("/") ? path(verb, target, scope) : resource(verb, target, scope);
    }

    /** Returns the path of a URL as a decider reads it for a proxy: decoded once, without the query. */
    private static String pathOf(String url) {
        String path = ORIGIN.matcher(url).replaceFirst("").replaceFirst("[?#].*", "");
        try {
            return PlainPath.decode(path.isEmpty() ? "/" : path);
        } catch (StatusException rejected) {
            throw CommandException.usage(Quoted.of(url) + ": a decider answers a proxy 400: "
                    + rejected.status().message());
        }
    }

    private static AccessRequest path(String verb, String path, Scope scope) {
        if (scope.subresource() != null) {
            throw CommandException.usage("--subresource: requires a resource, not the path \"" + path + "\"");
        }
        List<String> warnings = scope.namespaceGiven()
                ? List.of("the path \"" + path + "\" has no namespace; --namespace is ignored")
                : List.of();
        String lower = verb.toLowerCase(Locale.ROOT);
        NonResourceAttributes access = new NonResourceAttributes(path, lower);
        return new AccessRequest(access, warnings, KnownVerbs.problem(access));
    }

    private AccessRequest resource(String verb, String target, Scope scope) {
        String[] parts = target.split("/", -1);
        if (parts.length > 3) {
            throw CommandException.usage(
                    "\"" + target + "\" has too many slashes; expected RESOURCE[.GROUP][/NAME[/SUBRESOURCE]]");
        }
        for (String part : parts) {
            if (part.isEmpty()) {
                throw CommandException.usage(
                        "\"" + target + "\" has an empty part; expected RESOURCE[.GROUP][/NAME[/SUBRESOURCE]]");
            }
        }
        if (parts.length == 3 && scope.subresource() != null) {
            throw CommandException.usage("--subresource: \"" + target + "\" names a subresource already");
        }
        List<String> warnings = new ArrayList<>();
        String lower = verb.toLowerCase(Locale.ROOT);
        List<String> unknown = new ArrayList<>();
        TypeName word = TypeName.parse(parts[0]);
        Optional<ApiResource> checked = ResourceTypes.CheckedTypes.find(lower, word.resource(), word.group());
        Optional<ApiResource> type = checked.isPresent() ? checked : word.resolve(types);
        if (type.isEmpty() && !word.resource().equals(ANY)) {
            type = additional.find(word.resource(), word.group());
        }
        if (type.isEmpty() && !word.resource().equals(ANY)) {
            unknown.add(types.unknown(parts[0]));
        }
        String name = parts.length > 1 ? parts[1] : "";
        String subresource = parts.length == 3
                ? parts[2]
                : Optional.ofNullable(scope.subresource()).orElse("");
        if (parts.length == 2
                && scope.subresource() == null
                && type.map(known -> known.subresources().contains(parts[1])).orElse(false)) {
            warnings.add("\"" + parts[1] + "\" is a subresource of " + parts[0] + " and is checked as such; "
                    + "for an object of that name add --subresource=''");
            subresource = name;
            name = "";
        }
        if (!name.isEmpty() && scope.subresource() == null && parts.length == 2) {
            type.flatMap(known -> NearestName.within(1, parts[1], known.subresources()))
                    .ifPresent(similar ->
                            warnings.add("\"" + parts[1] + "\" is checked as the name of an object; did you mean"
                                    + " the subresource \"" + similar + "\"?"));
        }
        if (type.isPresent() && checked.isEmpty()) {
            unknown.addAll(problem(parts[0], subresource, type.get().subresources()));
        }
        String resource = type.map(ApiResource::resource).orElse(word.resource());
        String namespace = namespace(verb, resource, name, type.orElse(null), scope, warnings);
        var access =
                new ResourceAttributes(namespace, lower, word.group(type), word.version(), resource, subresource, name);
        unknown.addAll(0, KnownVerbs.problem(access));
        return new AccessRequest(access, warnings, unknown);
    }

    private static List<String> problem(String type, String subresource, Set<String> known) {
        return subresource.isEmpty() || subresource.equals(ANY) || known.contains(subresource)
                ? List.of()
                : List.of(type + " have no subresource \"" + subresource + "\" that is known"
                        + NearestName.suggestion(subresource, known));
    }

    private static String namespace(
            String verb, String resource, String name, @Nullable ApiResource type, Scope scope, List<String> warnings) {
        if (type == null || type.namespaced()) {
            return scope.allNamespaces() ? "" : scope.namespace();
        }
        if (scope.namespaceGiven()) {
            warnings.add("\"" + resource + "\" is not namespaced; --namespace is ignored");
        }
        // A request for a namespace object has its name as the namespace, so a grant inside it applies.
        boolean oneNamespace = resource.equals("namespaces") && !name.isEmpty() && !verb.equals("create");
        return oneNamespace ? name : "";
    }

    /**
     * Namespace and subresource of a request.
     *
     * @param namespaceGiven whether the user gave it, rather than a default
     * @param allNamespaces whether the request is for all namespaces
     * @param subresource the subresource; {@code ""} for none; null to derive it from NAME
     */
    public record Scope(
            String namespace,
            boolean namespaceGiven,
            boolean allNamespaces,
            @Nullable String subresource) {}

    private record TypeName(String resource, @Nullable String group, String version) {
        static TypeName parse(String word) {
            int dot = word.indexOf('.');
            if (dot < 0) {
                return new TypeName(lower(word), null, "");
            }
            String resource = lower(word.substring(0, dot));
            String rest = word.substring(dot + 1);
            int next = rest.indexOf('.');
            String first = next < 0 ? rest : rest.substring(0, next);
            if (VERSION.matcher(first).matches()) {
                return new TypeName(resource, next < 0 ? "" : rest.substring(next + 1), first);
            }
            return new TypeName(resource, rest, "");
        }

        private static String lower(String word) {
            return word.toLowerCase(Locale.ROOT);
        }

        Optional<ApiResource> resolve(ResourceTypes types) {
            return group == null ? types.find(resource) : types.find(resource, group);
        }

        String group(Optional<ApiResource> type) {
            if (group != null) {
                return group;
            }
            return type.map(ApiResource::group).orElse(resource.equals(ANY) ? ANY : "");
        }
    }

    /**
     * A parsed request.
     *
     * @param warnings possible misunderstandings, one message each
     * @param unknown probably misspelled names, one message each
     */
    public record AccessRequest(AccessAttributes access, List<String> warnings, List<String> unknown) {
        public AccessRequest {
            Objects.requireNonNull(access);
            warnings = List.copyOf(warnings);
            unknown = List.copyOf(unknown);
        }
    }
}
