package io.plat.cli.lint;

import io.plat.cli.lint.Escalation.EscalationKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Rules of the linter. The ids are stable: suppressions and baselines refer to them. */
enum LintRule {
    DANGLING_ROLE(Severity.ERROR, "a binding refers to a role that does not exist, so it grants nothing"),
    IMPOSSIBLE_SUBJECT(Severity.ERROR, "a subject that no request can have, so it is granted nothing"),
    DEAD_RULE(Severity.WARNING, "a rule, or a part of one, that no request can match"),
    DEAD_LINE(Severity.WARNING, "a policy line that no request can match"),
    UNBOUND_ROLE(Severity.NOTE, "a role that no binding refers to"),
    DUPLICATE_RULE(Severity.WARNING, "a duplicate rule in a role"),
    DUPLICATE_LINE(Severity.WARNING, "a duplicate policy line"),
    DUPLICATE_SUBJECT(Severity.WARNING, "a duplicate subject in a binding"),
    SHADOWED_RULE(Severity.NOTE, "a rule that grants nothing beyond the other rules of its role"),
    SHADOWED_LINE(Severity.NOTE, "a policy line that grants nothing beyond the other lines for its subject"),
    WILDCARD(Severity.WARNING, "a wildcard grants everything of a kind, including future additions"),
    SECRET_ACCESS(Severity.WARNING, "secrets can be read"),
    CLIMB_ESCALATE(Severity.ERROR, "a role can be given rights that its author does not have"),
    CLIMB_BIND(Severity.ERROR, "a role can be bound by a subject without its rights"),
    CLIMB_IMPERSONATE(Severity.ERROR, "a subject can impersonate a more privileged one"),
    CLIMB_TOKEN(Severity.ERROR, "a token of a more privileged service account can be created"),
    CLIMB_POD(Severity.WARNING, "a pod can be created with a more privileged service account"),
    CLIMB_EXEC(Severity.WARNING, "a command can be run in pods of a more privileged service account"),
    CLIMB_CERTIFICATE(Severity.ERROR, "a certificate for any name can be issued");

    private final Severity severity;
    private final String summary;

    LintRule(Severity severity, String summary) {
        this.severity = severity;
        this.summary = summary;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Severity severity() {
        return severity;
    }

    /** Returns a sentence without its full stop. */
    String summary() {
        return summary;
    }

    /** Returns the rule about a kind of privilege escalation. */
    static LintRule of(EscalationKind kind) {
        return valueOf("CLIMB_" + kind);
    }

    static Optional<LintRule> of(String id) {
        return Arrays.stream(values()).filter(rule -> rule.id().equals(id)).findFirst();
    }

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
}
