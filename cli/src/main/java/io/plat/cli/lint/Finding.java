package io.plat.cli.lint;

import io.plat.engine.access.AccessSet;
import io.plat.review.source.Location;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finding.
 *
 * @param where location
 * @param path the steps of a privilege escalation; empty for any other finding
 */
record Finding(LintRule rule, Location where, String message, List<String> path) {
    static final Comparator<Finding> ORDER = Comparator.<Finding, String>comparing(
                    finding -> finding.where().file())
            .thenComparing(finding -> finding.where().line())
            .thenComparing(Finding::rule)
            .thenComparing(Finding::message);

    Finding {
        Objects.requireNonNull(rule);
        Objects.requireNonNull(where);
        Objects.requireNonNull(message);
        path = List.copyOf(path);
    }

    static Finding of(LintRule rule, Location where, String message) {
        return new Finding(rule, where, message, List.of());
    }

    /** Returns the positions of sets that contain nothing beyond the others, the last first. */
    static List<Integer> redundant(List<AccessSet> sets) {
        List<AccessSet> kept = new ArrayList<>(sets);
        List<Integer> redundant = new ArrayList<>();
        for (int i = kept.size() - 1; i >= 0; i--) {
            AccessSet beyond = kept.get(i);
            for (int j = 0; j < kept.size() && !beyond.isEmpty(); j++) {
                beyond = j == i ? beyond : beyond.minus(kept.get(j));
            }
            if (beyond.isEmpty() && !kept.get(i).isEmpty()) {
                kept.set(i, AccessSet.NONE);
                redundant.add(i);
            }
        }
        return redundant;
    }

    /**
     * Comments that suppress findings: {@code # plat:ignore ID, ID: why} on the line or on comment lines directly above,
     * {@code # plat:ignore-file ID: why} anywhere in the file.
     */
    static final class Suppressions {
        private static final Pattern COMMENT = Pattern.compile("#\\s*plat:ignore(-file)?\\s+([a-z][a-z, -]*)");

        private final Map<String, Source> files = new HashMap<>();

        /**
         * File with findings.
         *
         * @param ignored identifiers that it suppresses as a whole
         */
        private record Source(List<String> lines, Set<String> ignored) {}

        boolean cover(Finding finding) {
            if (finding.where().line() == 0) {
                return false; // Objects of a server are not in a file.
            }
            Source file = files.computeIfAbsent(finding.where().file(), Suppressions::read);
            return file.ignored().contains(finding.rule().id()) || onLine(file.lines(), finding);
        }

        private static boolean onLine(List<String> lines, Finding finding) {
            Location where = finding.where();
            String id = finding.rule().id();
            int at = where.line() - 1;
            if (at < 0 || at >= lines.size()) {
                return false;
            }
            if (names(lines.get(at), false).contains(id)) {
                return true;
            }
            for (int above = at - 1; above >= 0 && lines.get(above).strip().startsWith("#"); above--) {
                if (names(lines.get(above), false).contains(id)) {
                    return true;
                }
            }
            return false;
        }

        private static Source read(String file) {
            try {
                List<String> lines =
                        SourceReader.readText(Path.of(file)).lines().toList();
                Set<String> ignored = new HashSet<>();
                lines.forEach(line -> ignored.addAll(names(line, true)));
                return new Source(lines, ignored);
            } catch (ProblemsException e) {
                // The file was read before; if it has been deleted since, it suppresses nothing.
                return new Source(List.of(), Set.of());
            }
        }

        private static Set<String> names(String line, boolean wholeFile) {
            Set<String> names = new HashSet<>();
            int hash = line.indexOf('#');
            if (hash < 0) {
                return names;
            }
            Matcher comment = COMMENT.matcher(line).region(hash, line.length());
            while (comment.find()) {
                if ((comment.group(1) != null) == wholeFile) {
                    for (String name : comment.group(2).split("[, ]+", -1)) {
                        names.add(name);
                    }
                }
            }
            return names;
        }
    }
}
