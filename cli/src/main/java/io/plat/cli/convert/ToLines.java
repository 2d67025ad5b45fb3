package io.plat.cli.convert;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.policy.SubjectText;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of role objects to a policy file: for each subject, every line that grants nothing beyond the subject's access. Access that no line
 * grants can't be converted. Used once.
 */
final class ToLines {
    private static final Location NOWHERE = new Location("converted", 0);

    private final PolicyAccess held;
    private final ConvertCommand.KnownSubresources known;
    private final List<AbacLine> lines = new ArrayList<>();

    private ToLines(PolicyAccess held, ConvertCommand.KnownSubresources known) {
        this.held = held;
        this.known = known;
    }

    /**
     * Returns lines that are equivalent to the role objects.
     *
     * @throws IllegalStateException if they would grant anything else: a defect
     */
    static ConvertCommand.ConversionResult of(RbacPolicy policy, ConvertCommand.KnownSubresources known) {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary(known);
        PolicyAccess held = PolicyAccess.of(null, policy, vocabulary);
        ToLines conversion = new ToLines(held, known);
        new TreeSet<>(held.subjects()).forEach(conversion::subject);
        PolicyAccess result = PolicyAccess.of(new AbacPolicy(conversion.lines), null, vocabulary);
        PolicyChange change = PolicyChange.asWritten(held, result);
        if (!change.granted().isEmpty()) {
            throw new IllegalStateException("lines that grant more: " + change.granted());
        }
        List<String> unconverted = new ArrayList<>();
        change.revoked().forEach((who, set) -> {
            for (AccessRow row : set.rows()) {
                unconverted.add("can't be converted to policy lines: " + SubjectText.of(who) + ": " + row.text());
            }
        });
        List<String> lines = conversion.lines.stream().map(AbacLine::text).toList();
        List<JsonAnswer.Body> documents = new ArrayList<>();
        lines.forEach(line -> documents.add(json -> json.writeRawValue(line)));
        return new ConvertCommand.ConversionResult(String.join("\n", lines), documents, unconverted, List.of());
    }

    private void subject(SubjectName who) {
        if (who.name().equals(AbacLine.ANY)) {
            return;
        }
        AccessSet rest = held.of(who);
        for (AccessRow row : held.of(who).rows()) {
            for (AbacLine candidate : candidates(row, who)) {
                AccessSet granted = access(candidate, who);
                boolean sound = granted.minus(held.of(who)).isEmpty();
                AccessSet left = sound ? rest.minus(granted) : rest;
                // A line is only needed for access that the preceding lines do not grant.
                if (sound && !granted.minus(granted.minus(rest)).isEmpty()) {
                    lines.add(candidate);
                    rest = left;
                }
            }
        }
    }

    private AccessSet access(AbacLine line, SubjectName who) {
        return PolicyAccess.of(new AbacPolicy(List.of(line)), null, new PolicyAccess.Vocabulary(known))
                .of(who);
    }

    /** Returns lines that might grant a part of a row, the widest first. */
    private static List<AbacLine> candidates(AccessRow row, SubjectName who) {
        List<AbacLine> candidates = new ArrayList<>();
        AccessRow.Columns kept = row.kept();
        for (boolean readonly : List.of(false, true)) {
            for (String path : kept.nonResourceUrls()) {
                candidates.add(line(who, readonly, "", "", "", path));
            }
            for (String resource : resources(kept.resources())) {
                for (String group : kept.apiGroups()) {
                    for (String namespace : kept.namespaces()) {
                        candidates.add(line(who, readonly, group, namespace, resource, ""));
                    }
                }
            }
        }
        return candidates;
    }

    private static Set<String> resources(List<String> written) {
        Set<String> resources = new LinkedHashSet<>();
        for (String resource : written) {
            int slash = resource.indexOf('/');
            resources.add(slash < 0 ? resource : resource.substring(0, slash));
        }
        return resources;
    }

    private static AbacLine line(
            SubjectName who, boolean readonly, String apiGroup, String namespace, String resource, String path) {
        @Nullable
        String user = switch (who.kind()) {
            case USER -> who.name();
            case SERVICE_ACCOUNT -> UserInfo.serviceAccountUser(who.namespace(), who.name());
            case GROUP, EVERYBODY -> null;
        };
        SequencedMap<String, String> spec = new LinkedHashMap<>();
        spec.put("user", user == null ? "" : user);
        spec.put("group", user == null ? who.name() : "");
        spec.put("namespace", namespace);
        spec.put("apiGroup", apiGroup);
        spec.put("resource", resource);
        spec.put("nonResourcePath", path);
        spec.values().removeIf(String::isEmpty);
        String fields = Stream.concat(
                        spec.entrySet().stream()
                                .map(field ->
                                        JsonText.quoted(field.getKey()) + ":" + JsonText.quoted(field.getValue())),
                        readonly ? Stream.of("\"readonly\":true") : Stream.of())
                .collect(Collectors.joining(","));
        // In the version that every Kubernetes server reads.
        String text = "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{"
                + fields + "}}";
        return new AbacLine(
                NOWHERE,
                text,
                spec.getOrDefault("user", ""),
                spec.getOrDefault("group", ""),
                readonly,
                apiGroup,
                namespace,
                resource,
                path);
    }
}
