package io.plat.cli.lint;

import java.util.Locale;

/** Severity of a finding, in the terms of SARIF; the worst first. */
enum Severity {
    /** The policy does not have the written effect. */
    ERROR,
    /** It grants much, or a part has no effect. */
    WARNING,
    /** It could be shorter. */
    NOTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
