package io.plat.authorization;

import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.review.NameRule;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Strict reader of an AuthorizationConfiguration, which reports all problems at once. For a single use. */
final class AuthorizationConfigReader {
    private static final String KIND = "AuthorizationConfiguration";
    private static final String NODE = "Node";
    private static final Set<String> VERSIONS = new TreeSet<>(Set.of(
            "apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1beta1", "apiserver.config.k8s.io/v1alpha1"));
    private final Set<String> types;
    private final Map<String, String> missing;
    private final List<Problem> problems = new ArrayList<>();

    private AuthorizationConfigReader(Collection<String> builtIn, Map<String, String> missing) {
        this.missing = missing;
        this.types = new TreeSet<>(builtIn);
        this.types.addAll(missing.keySet());
        this.types.add(WebhookAuthorizer.MODE);
    }

    /**
     * Reads the authorizers of a file in order, at least one.
     *
     * @param builtIn supported types other than webhooks
     * @param missing other types, and the setting that each of them lacks
     */
    static List<ConfiguredAuthorizer> read(
            String file, String text, Collection<String> builtIn, Map<String, String> missing)
            throws ProblemsException {
        AuthorizationConfigReader reader = new AuthorizationConfigReader(builtIn, missing);
        List<SourceNode> documents = SourceReader.readYaml(file, text.getBytes(StandardCharsets.UTF_8));
        List<ConfiguredAuthorizer> authorizers = reader.configuration(SourceReader.only(documents, file, KIND));
        if (!reader.problems.isEmpty()) {
            throw new ProblemsException(reader.problems);
        }
        return authorizers;
    }

    private List<ConfiguredAuthorizer> configuration(SourceNode document) {
        SourceFields fields = SourceFields.of(document, "", problems);
        oneOf(fields, "apiVersion", VERSIONS);
        oneOf(fields, "kind", Set.of(KIND));
        List<SourceFields> entries = fields.mappings("authorizers");
        if (entries.isEmpty()) {
            fields.problem("authorizers", "required, expected at least one authorizer");
        }
        fields.rejectUnknown();
        List<ConfiguredAuthorizer> authorizers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> builtInTypes = new HashSet<>();
        for (SourceFields entry : entries) {
            authorizers.addAll(authorizer(entry, names, builtInTypes));
        }
        return authorizers;
    }

    /** Reads the authorizer of an entry; none if the entry has problems. */
    private List<ConfiguredAuthorizer> authorizer(SourceFields entry, Set<String> names, Set<String> builtInTypes) {
        int before = problems.size();
        String type = type(entry);
        String name = name(entry, names);
        boolean isWebhook = type.equals(WebhookAuthorizer.MODE);
        if (!type.isEmpty() && !isWebhook && !builtInTypes.add(type)) {
            entry.problem("type", "duplicate value " + Quoted.of(type));
        }
        if (missing.containsKey(type)) {
            entry.problem("type", Quoted.of(type) + " needs " + missing.get(type));
        }
        ConfiguredAuthorizer read = isWebhook
                ? WebhookEntry.read(name, entry.requiredMapping("webhook"), problems)
                : new ConfiguredAuthorizer.BuiltIn(name, type);
        if (!isWebhook && entry.has("webhook")) {
            entry.problem("webhook", "requires type \"Webhook\"");
        }
        entry.ignore("webhook");
        entry.rejectUnknown();
        return problems.size() > before ? List.of() : List.of(read);
    }

    private String type(SourceFields entry) {
        if (entry.string("type").equals(NODE)) {
            entry.problem(
                    "type",
                    "\"Node\" is supported by kube-apiserver only, which knows the pods of each node; list it there,"
                            + " before this server");
            return NODE;
        }
        return oneOf(entry, "type", types);
    }

    private String name(SourceFields entry, Set<String> names) {
        String name = entry.requiredString("name");
        if (name.isEmpty()) {
            return name;
        }
        if (!NameRule.SUBDOMAIN.problems(name).isEmpty()) {
            entry.problem(
                    "name",
                    Quoted.of(name) + " is not a DNS name, expected lower case letters, digits, \"-\" and \".\"");
        } else if (!names.add(name)) {
            entry.problem("name", "duplicate value " + Quoted.of(name));
        }
        return name;
    }

    /** Reads a required value out of a set; reports a problem and returns {@code ""} otherwise. */
    static String oneOf(SourceFields fields, String key, Collection<String> words) {
        String word = fields.requiredString(key);
        if (word.isEmpty() || words.contains(word)) {
            return word;
        }
        String expected = words.stream().map(Quoted::of).collect(Collectors.joining(", "));
        fields.problem(
                key,
                "invalid value " + Quoted.of(word) + ", expected " + (words.size() == 1 ? "" : "one of ") + expected);
        return "";
    }
}
