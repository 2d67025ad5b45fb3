package io.plat.tests.stock;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Differences of two responses, as lines with the location. */
final class Difference {
    private static final int MOST = 12;

    private Difference() {}

    /** Compares status, warnings and, if recorded, the body. */
    static List<String> between(Answer theirs, Answer ours) {
        List<String> differences = new ArrayList<>();
        if (theirs.status() != ours.status()) {
            differences.add("status: " + theirs.status() + " -> " + ours.status());
        }
        List<String> warnings = ours.warnings().stream()
                .filter(warning -> !Reasons.own(warning))
                .toList();
        if (!theirs.warnings().equals(warnings)) {
            differences.add("warnings: " + theirs.warnings() + " -> " + warnings);
        }
        if (!theirs.body().isNull() && !theirs.body().isMissingNode()) {
            compare("", theirs.body(), ours.body(), differences);
        }
        return differences.size() > MOST ? differences.subList(0, MOST) : differences;
    }

    private static void compare(String at, JsonNode theirs, JsonNode ours, List<String> differences) {
        if (differences.size() > MOST || theirs.equals(ours)) {
            return;
        }
        if (theirs.isObject() && ours.isObject()) {
            Set<String> names = new LinkedHashSet<>();
            theirs.fieldNames().forEachRemaining(names::add);
            ours.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> compare(at + "." + name, theirs.path(name), ours.path(name), differences));
        } else if (theirs.isArray() && ours.isArray() && theirs.size() == ours.size()) {
            for (int i = 0; i < theirs.size(); i++) {
                compare(at + "[" + i + "]", theirs.get(i), ours.get(i), differences);
            }
        } else if (!Reasons.cover(at, theirs, ours)) {
            differences.add(at + ": " + text(theirs) + " -> " + text(ours));
        }
    }

    private static String text(JsonNode node) {
        String text = node.isMissingNode() ? "(absent)" : node.toString();
        return text.length() > 600 ? text.substring(0, 600) + "..." : text;
    }
}
