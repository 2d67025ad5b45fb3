package io.plat.cli.lint;

import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A privilege escalation.
 *
 * @param steps the steps in order, at least one
 * @param toEverything whether it ends with all rights; else with those of the last step's subject
 */
public record Escalation(SubjectName subject, List<Step> steps, boolean toEverything) {
    public Escalation {
        Objects.requireNonNull(subject);
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("an escalation without a step");
        }
    }

    /** Returns the kind of the first step. */
    public EscalationKind kind() {
        return steps.getFirst().kind();
    }

    /**
     * One step.
     *
     * @param by a right that it needs
     * @param to the subject that it reaches; {@link SubjectName#EVERYBODY} for any subject, and for the same subject with the role that
     *     {@code by} names
     */
    public record Step(EscalationKind kind, ResourceAttributes by, SubjectName to) {
        public Step {
            Objects.requireNonNull(kind);
            Objects.requireNonNull(by);
            Objects.requireNonNull(to);
        }
    }

    /** Kind of a privilege escalation. */
    public enum EscalationKind {
        /** A role with more rights than its writer has, by {@code escalate}. */
        ESCALATE,
        /** Binds itself to a role with more rights than its own, by {@code bind}. */
        BIND,
        /** Requests as another user. */
        IMPERSONATE,
        /** A token for a service account. */
        TOKEN,
        /** Starts a pod under a service account of its namespace. */
        POD,
        /** Runs a command in an existing pod, under its service account. */
        EXEC,
        /** Obtains a certificate for any user name. */
        CERTIFICATE;

        /** Returns its name in lower case; of the first three it is the verb of the right. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether it reaches all rights, and not just those of one subject. */
        boolean leadsToEverything() {
            return this == ESCALATE || this == BIND || this == CERTIFICATE;
        }
    }
}
