package io.plat.cli.lint;

import io.plat.review.source.Location;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A finding.
 *
 * @param where the line that it is about
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
}
