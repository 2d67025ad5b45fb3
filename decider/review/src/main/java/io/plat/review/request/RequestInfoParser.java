package io.plat.review.request;

import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.request.RequestInfo.PathRequest;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives request attributes from method and path (specification, "Resource paths" and "Verb derivation").
 * <pre>
 * /api/{version}/[prefix/][namespaces/{namespace}/]{resource}[/{name}[/{subresource}[/tail]]]
 * /apis/{group}/{version}/[prefix/][namespaces/{namespace}/]{resource}[/{name}[/{subresource}[/tail]]]
 * </pre>
 * All other paths are non-resource paths.
 */
public record RequestInfoParser(String method, RequestPath path, QueryParameters query, LabelParser labels) {
    /** Maximum length of a selector, in characters. */
    public static final int MAX_SELECTOR_LENGTH = 16 << 10;

    private static final String NAME_FIELD = "metadata.name";
    /** Legacy path prefixes that determine the verb for every method. */
    private static final Set<String> PREFIXES = Set.of("watch", "proxy", "redirect");

    /** Subresources of namespaces, as opposed to resources in them. */
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    private static final Set<String> SELECTING_VERBS = Set.of("list", "watch", "deletecollection");

    /** Parses label selectors. */
    @FunctionalInterface
    public interface LabelParser {
        /** Returns the requirements; empty if the selector is malformed, or compares numbers, which requirements do not support. */
        Optional<List<Requirement>> requirements(String selector);
    }

    RequestInfo derive() throws StatusException {
        List<String> segments = path.segments();
        String first = segments.isEmpty() ? "" : segments.getFirst();
        if (first.equals("api") && segments.size() >= 3) {
            return resource("", segments.get(1), segments.subList(2, segments.size()));
        }
        if (first.equals("apis") && segments.size() >= 4) {
            return resource(segments.get(1), segments.get(2), segments.subList(3, segments.size()));
        }
        String decoded = path.decoded();
        return new PathRequest(
                method, decoded, query, new NonResourceAttributes(decoded, method.toLowerCase(Locale.ROOT)));
    }

    private RequestInfo resource(String group, String version, List<String> segments) throws StatusException {
        String prefix = PREFIXES.contains(segments.getFirst()) ? segments.getFirst() : "";
        List<String> rest = prefix.isEmpty() ? segments : segments.subList(1, segments.size());
        if (rest.isEmpty()) {
            throw new StatusException(
                    StatusReason.BAD_REQUEST, "malformed request path: a resource must follow \"" + prefix + "\"");
        }
        String namespace = "";
        if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
            namespace = rest.get(1);
            if (rest.size() > 2 && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
                rest = rest.subList(2, rest.size());
            }
        }
        boolean forwards = prefix.equals("proxy") || prefix.equals("redirect");
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 && !forwards ? rest.get(2) : "";
        int consumed = Math.min(rest.size(), forwards ? 2 : 3);
        String verb = prefix.isEmpty() ? verb(!name.isEmpty()) : prefix;
        if (prefix.isEmpty() && name.isEmpty() && (verb.equals("list") || verb.equals("watch"))) {
            name = nameSelected();
        }
        boolean selects = prefix.isEmpty() && SELECTING_VERBS.contains(verb);
        ResourceAttributes access = new ResourceAttributes(
                namespace,
                verb,
                group,
                version,
                rest.getFirst(),
                subresource,
                name,
                selects ? selector("fieldSelector") : null,
                selects ? selector("labelSelector") : null);
        return new ResourceRequest(method, path.decoded(), query, access, prefix, rest.subList(consumed, rest.size()));
    }

    /** Returns the verb of a method on an individual resource or a collection; {@code ""} for an unmapped method. */
    private String verb(boolean individual) {
        return switch (method) {
            case "POST" -> "create";
            case "GET", "HEAD" -> individual ? "get" : query.flag("watch") ? "watch" : "list";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> individual ? "delete" : "deletecollection";
            default -> "";
        };
    }

    /** Returns the only name that a field selector matches, or {@code ""}. */
    private String nameSelected() {
        return query.first("fieldSelector")
                .flatMap(RequestInfoParser::parseFields)
                .flatMap(RequestInfoParser::requiredName)
                .orElse("");
    }

    /**
     * Returns a selector for the authorizer. A malformed one is omitted, which makes the check stricter; the operation itself rejects it
     * with 400.
     */
    private @Nullable SelectorAttributes selector(String parameter) {
        return query.first(parameter)
                .filter(raw -> !raw.isEmpty())
                .flatMap(raw -> parameter.equals("fieldSelector") ? parseFields(raw) : parseLabels(raw))
                .filter(requirements -> !requirements.isEmpty())
                .map(requirements -> new SelectorAttributes("", requirements))
                .orElse(null);
    }

    /**
     * Parses a field selector: terms {@code field=value}, {@code field==value} or {@code field!=value}, separated by commas; in a value a
     * backslash escapes a comma, an equals sign or a backslash.
     *
     * @return the requirements, each {@code In} or {@code NotIn} one value; empty if the selector is malformed
     */
    public static Optional<List<Requirement>> parseFields(String selector) {
        if (selector.length() > MAX_SELECTOR_LENGTH) {
            return Optional.empty();
        }
        List<Requirement> requirements = new ArrayList<>();
        for (String term : splitTerms(selector)) {
            if (term.isEmpty()) {
                continue;
            }
            Optional<Requirement> requirement = fieldTerm(term);
            if (requirement.isEmpty()) {
                return Optional.empty();
            }
            requirements.add(requirement.get());
        }
        return Optional.of(requirements);
    }

    private Optional<List<Requirement>> parseLabels(String selector) {
        return selector.length() > MAX_SELECTOR_LENGTH ? Optional.empty() : labels.requirements(selector);
    }

    /** Returns the name that the requirements demand, if it is a valid path segment. */
    static Optional<String> requiredName(List<Requirement> requirements) {
        return requirements.stream()
                .filter(requirement -> requirement.key().equals(NAME_FIELD)
                        && requirement.operator().equals("In"))
                .map(requirement -> requirement.values().getFirst())
                .findFirst()
                .filter(RequestInfoParser::isSegment);
    }

    private static boolean isSegment(String name) {
        return !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0 && name.indexOf('%') < 0;
    }

    /** Splits a field selector at unescaped commas; escapes are preserved. */
    public static List<String> splitTerms(String selector) {
        List<String> terms = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < selector.length(); i++) {
            if (selector.charAt(i) == '\\') {
                i++;
            } else if (selector.charAt(i) == ',') {
                terms.add(selector.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(selector.substring(start));
        return terms;
    }

    private static Optional<Requirement> fieldTerm(String term) {
        int equals = term.indexOf('=');
        if (equals < 0) {
            return Optional.empty();
        }
        boolean negated = equals > 0 && term.charAt(equals - 1) == '!';
        String field = term.substring(0, negated ? equals - 1 : equals);
        int valueStart = !negated && term.startsWith("=", equals + 1) ? equals + 2 : equals + 1;
        return unescape(term.substring(valueStart))
                .map(value -> new Requirement(field, negated ? "NotIn" : "In", List.of(value)));
    }

    /** Returns the value without escapes; empty for an unknown escape or an unescaped equals sign. */
    private static Optional<String> unescape(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '=' || c == ',') {
                return Optional.empty();
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    return Optional.empty();
                }
                c = value.charAt(i);
            }
            plain.append(c);
        }
        return Optional.of(plain.toString());
    }

    /**
     * Path of a request as segments, each decoded once.
     *
     * @param segments non-empty segments
     * @param trailingSlash whether the path ends with a slash
     */
    public record RequestPath(List<String> segments, boolean trailingSlash) {
        public RequestPath {
            segments = List.copyOf(segments);
        }

        /**
         * Splits and decodes a path.
         *
         * @param raw path as received
         * @throws StatusException 400 for an ambiguous path (see the table in the package documentation)
         */
        public static RequestPath parse(String raw) throws StatusException {
            if (raw.isEmpty() || raw.charAt(0) != '/') {
                throw malformed("must begin with \"/\"");
            }
            List<String> segments = new ArrayList<>();
            int start = 1;
            while (start < raw.length()) {
                int end = raw.indexOf('/', start);
                if (end < 0) {
                    end = raw.length();
                }
                segments.add(segment(raw.substring(start, end)));
                start = end + 1;
            }
            boolean trailingSlash = raw.length() > 1 && raw.endsWith("/");
            return new RequestPath(segments, trailingSlash);
        }

        /** Returns the path with every segment decoded. */
        public String decoded() {
            return "/" + String.join("/", segments) + (trailingSlash ? "/" : "");
        }

        private static String segment(String raw) throws StatusException {
            if (raw.isEmpty()) {
                throw malformed("must not contain an empty segment");
            }
            String segment =
                    PercentDecoding.decode(raw, false).orElseThrow(() -> malformed("must be percent-encoded UTF-8"));
            if (segment.equals(".") || segment.equals("..")) {
                throw malformed("must not contain a segment \".\" or \"..\"");
            }
            for (int i = 0; i < segment.length(); i++) {
                char c = segment.charAt(i);
                if (c == '/' || c == '%' || c == '\\' || c == ';' || Character.isISOControl(c)) {
                    throw malformed(
                            "must not contain an encoded \"/\" or \"%\", a \"\\\", a \";\" or a control character");
                }
            }
            return segment;
        }

        private static StatusException malformed(String rule) {
            return new StatusException(StatusReason.BAD_REQUEST, "malformed request path: it " + rule);
        }
    }
}
