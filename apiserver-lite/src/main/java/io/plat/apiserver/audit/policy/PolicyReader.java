package io.plat.apiserver.audit.policy;

import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reader of a policy file: one document of kind {@code Policy}, apiVersion {@code audit.k8s.io/v1}. */
public final class PolicyReader {
    private static final String KIND = "Policy";

    private final List<Problem> problems = new ArrayList<>();
    private Set<Stage> omitted = Set.of();
    private boolean omitsManagedFields;

    private PolicyReader() {}

    /**
     * Reads the policy in a file.
     *
     * @throws ProblemsException with all problems, each with its line
     */
    public static AuditPolicy read(Path file) throws ProblemsException {
        return new PolicyReader()
                .policy(SourceReader.only(SourceReader.readYaml(file), file.toString(), "document of kind " + KIND));
    }

    private AuditPolicy policy(SourceNode document) throws ProblemsException {
        SourceFields policy = SourceFields.of(document, "", problems);
        expect(policy, "apiVersion", "audit.k8s.io/v1");
        expect(policy, "kind", KIND);
        policy.ignore("metadata");
        omitted = stages(policy);
        omitsManagedFields = policy.bool("omitManagedFields");
        List<PolicyRule> rules = new ArrayList<>();
        List<SourceFields> entries = policy.mappings("rules");
        if (entries.isEmpty()) {
            policy.problem("rules", "expected at least one rule, as requests without a matching rule are not recorded");
        }
        for (SourceFields rule : entries) {
            rules.add(rule(rule));
        }
        policy.rejectUnknown();
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        return new AuditPolicy(List.copyOf(rules));
    }

    private static void expect(SourceFields fields, String key, String value) {
        String actual = fields.requiredString(key);
        if (!actual.isEmpty() && !actual.equals(value)) {
            fields.problem(key, "expected " + Quoted.of(value) + ", found " + Quoted.of(actual));
        }
    }

    private PolicyRule rule(SourceFields rule) {
        Level level = level(rule);
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        stages.addAll(omitted);
        stages.addAll(stages(rule));
        boolean overrides = rule.has("omitManagedFields");
        boolean own = rule.bool("omitManagedFields");
        PolicyRule read = new PolicyRule(
                rule.strings("users"),
                rule.strings("userGroups"),
                rule.strings("verbs"),
                resources(rule),
                rule.strings("namespaces"),
                paths(rule),
                new RequestAuditConfig(level, stages, overrides ? own : omitsManagedFields));
        if (!read.paths().isEmpty()
                && !(read.resources().isEmpty() && read.namespaces().isEmpty())) {
            rule.problem("nonResourceURLs", "a rule cannot apply to both resources and non-resource URLs");
        }
        rule.rejectUnknown();
        return read;
    }

    private static Level level(SourceFields rule) {
        String word = rule.requiredString("level");
        Optional<Level> level = named(Level.values(), Level::word, word);
        if (level.isEmpty() && !word.isEmpty()) {
            rule.problem(
                    "level", "expected one of " + words(Level.values(), Level::word) + ", found " + Quoted.of(word));
        }
        return level.orElse(Level.NONE);
    }

    private static <E> Optional<E> named(E[] values, Function<E, String> words, String word) {
        return Arrays.stream(values)
                .filter(value -> words.apply(value).equals(word))
                .findFirst();
    }

    private static <E> String words(E[] values, Function<E, String> words) {
        return Arrays.stream(values).map(words).collect(Collectors.joining(", "));
    }

    private static Set<Stage> stages(SourceFields fields) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        for (String word : fields.strings("omitStages")) {
            named(Stage.values(), Stage::word, word)
                    .ifPresentOrElse(
                            stages::add,
                            () -> fields.problem(
                                    "omitStages",
                                    "expected any of " + words(Stage.values(), Stage::word) + ", found "
                                            + Quoted.of(word)));
        }
        return stages;
    }

    private static List<String> paths(SourceFields rule) {
        List<String> paths = rule.strings("nonResourceURLs");
        for (String path : paths) {
            int star = path.indexOf('*');
            if (!path.equals("*") && !path.startsWith("/")) {
                rule.problem("nonResourceURLs", "expected a path that begins with /, or *, found " + Quoted.of(path));
            } else if (star >= 0 && star < path.length() - 1) {
                rule.problem("nonResourceURLs", "expected a * at the end only, found " + Quoted.of(path));
            }
        }
        return paths;
    }

    private static List<PolicyRule.GroupResources> resources(SourceFields rule) {
        List<PolicyRule.GroupResources> resources = new ArrayList<>();
        for (SourceFields of : rule.mappings("resources")) {
            PolicyRule.GroupResources read = new PolicyRule.GroupResources(
                    of.string("group"), of.strings("resources"), of.strings("resourceNames"));
            if (!read.group().matches("([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?")) {
                of.problem(
                        "group",
                        "expected an API group such as apps, without a version, found " + Quoted.of(read.group()));
            }
            if (!read.names().isEmpty() && read.resources().isEmpty()) {
                of.problem("resourceNames", "requires at least one resource in resources");
            }
            of.rejectUnknown();
            resources.add(read);
        }
        return resources;
    }
}
