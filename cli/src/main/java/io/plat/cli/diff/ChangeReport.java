package io.plat.cli.diff;

import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Report;
import io.plat.cli.policy.SubjectText;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.access.RowJson;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A change in rows: subjects with the same rows together, the shortest first. */
record ChangeReport(List<Group> granted, List<Group> revoked) {
    private static final int MAX_SUBJECTS = 10;

    /** Subjects with the rows that all of them gain or lose. */
    record Group(List<SubjectName> subjects, List<AccessRow> rows) {
        int size() {
            return subjects.size() + rows.stream().mapToInt(AccessRow::size).sum();
        }

        String who() {
            List<String> shown =
                    subjects.stream().limit(MAX_SUBJECTS).map(SubjectText::of).toList();
            int more = subjects.size() - shown.size();
            return String.join(", ", shown) + (more == 0 ? "" : " and " + more + " more");
        }
    }

    static ChangeReport of(PolicyChange change) {
        return new ChangeReport(groups(change.granted()), groups(change.revoked()));
    }

    private static List<Group> groups(Map<SubjectName, AccessSet> gained) {
        Map<List<AccessRow>, List<SubjectName>> together = new LinkedHashMap<>();
        gained.forEach((who, set) ->
                together.computeIfAbsent(set.rows(), rows -> new ArrayList<>()).add(who));
        List<Group> groups = new ArrayList<>();
        together.forEach((rows, subjects) -> groups.add(new Group(subjects, rows)));
        groups.sort(Comparator.comparingInt(Group::size)
                .thenComparing(group -> group.subjects().getFirst()));
        return groups;
    }

    void print(Report report) {
        if (granted.isEmpty() && revoked.isEmpty()) {
            report.print("no access is granted or revoked");
            return;
        }
        print("granted", Colour.GREEN, "+", granted, report);
        print("revoked", Colour.RED, "-", revoked, report);
    }

    private static void print(String title, Colour colour, String sign, List<Group> groups, Report report) {
        if (groups.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder(title).append(':');
        for (Group group : groups) {
            text.append("\n  ").append(group.who());
            for (AccessRow row : group.rows()) {
                text.append("\n    ").append(report.paint(colour, sign + " " + Quoted.oneLine(row.text())));
            }
        }
        report.print(text.toString());
    }

    Map<String, Object> document() {
        return JsonAnswer.object("granted", rows(granted), "revoked", rows(revoked));
    }

    /** The same with the changes of roles. */
    Map<String, Object> document(RoleChanges roles) {
        return JsonAnswer.object("granted", rows(granted), "revoked", rows(revoked), "roles", roles.document());
    }

    private static List<JsonAnswer.Body> rows(List<Group> groups) {
        List<JsonAnswer.Body> rows = new ArrayList<>();
        for (Group group : groups) {
            for (SubjectName who : group.subjects()) {
                group.rows().forEach(row -> rows.add(json -> RowJson.write(who, row, json)));
            }
        }
        return rows;
    }
}
