package io.plat.cli.convert;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.request.Subjects;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Conversion of role objects to a policy file: for each subject, every line that grants nothing beyond the subject's access. Access that no line
 * grants cannot be converted. For a single use.
 */
final class ToLines {
    private static final Location NOWHERE = new Location("converted", 0);

    private final PolicyAccess policy;
    private final ConvertCommand.KnownSubresources known;
    private final List<AbacLine> lines = new ArrayList<>();

    private ToLines(PolicyAccess policy, ConvertCommand.KnownSubresources known) {
        this.policy = policy;
        this.known = known;
    }

    /**
     * Returns lines that are equivalent to the role objects.
     *
     * @throws IllegalStateException if they would grant anything else: a defect
     */
    static ConvertCommand.ConversionResult of(RbacPolicy policy, ConvertCommand.KnownSubresources known) {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary(known);
        PolicyAccess access = PolicyAccess.of(null, policy, vocabulary);
        ToLines conversion = new ToLines(access, known);
        new TreeSet<>(access.subjects()).forEach(conversion::subject);
        PolicyAccess result = PolicyAccess.of(new AbacPolicy(conversion.lines), null, vocabulary);
        PolicyChange change = PolicyChange.asWritten(access, result);
        if (!change.granted().isEmpty()) {
            throw new IllegalStateException("lines that grant more: " + change.granted());
        }
        List<String> unconverted = new ArrayList<>();
        change.revoked().forEach((subject, set) -> {
            for (AccessRow row : set.rows()) {
                unconverted.add("cannot be converted to policy lines: " + Subjects.text(subject) + ": " + row.text());
            }
        });
        List<String> lines = conversion.lines.stream().map(AbacLine::text).toList();
        List<JsonAnswer.Body> documents = new ArrayList<>();
        lines.forEach(line -> documents.add(json -> json.writeRawValue(line)));
        return new ConvertCommand.ConversionResult(String.join("\n", lines), documents, unconverted, List.of());
    }

    private void subject(SubjectName subject) {
        if (subject.name().equals(AbacLine.ANY)) {
            return;
        }
        AccessSet uncovered = policy.of(subject);
        for (AccessRow row : policy.of(subject).rows()) {
            for (AbacLine candidate : candidates(row, subject)) {
                AccessSet granted = access(candidate, subject);
                boolean isSound = granted.minus(policy.of(subject)).isEmpty();
                // A line is only needed for access that the preceding lines do not grant.
                if (isSound && !granted.minus(granted.minus(uncovered)).isEmpty()) {
                    lines.add(candidate);
                    uncovered = uncovered.minus(granted);
                }
            }
        }
    }

    private AccessSet access(AbacLine line, SubjectName subject) {
        return PolicyAccess.of(new AbacPolicy(List.of(line)), null, new PolicyAccess.Vocabulary(known))
                .of(subject);
    }

    /** Returns lines that might grant a part of a row, the widest first. */
    private static List<AbacLine> candidates(AccessRow row, SubjectName subject) {
        List<AbacLine> candidates = new ArrayList<>();
        AccessRow.Columns kept = row.kept();
        for (boolean readonly : List.of(false, true)) {
            for (String path : kept.nonResourceUrls()) {
                candidates.add(line(subject, readonly, "", "", "", path));
            }
            List<String> resources = kept.resources().stream()
                    .map(ResourceAttributes::resourceOf)
                    .distinct()
                    .toList();
            for (String resource : resources) {
                for (String group : kept.apiGroups()) {
                    for (String namespace : kept.namespaces()) {
                        candidates.add(line(subject, readonly, group, namespace, resource, ""));
                    }
                }
            }
        }
        return candidates;
    }

    private static AbacLine line(
            SubjectName subject, boolean readonly, String apiGroup, String namespace, String resource, String path) {
        String user = subject.kind() == SubjectName.Kind.GROUP ? "" : Subjects.userName(subject);
        return AbacLine.of(
                NOWHERE, user, user.isEmpty() ? subject.name() : "", readonly, apiGroup, namespace, resource, path);
    }
}
