package io.plat.engine.union;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;

/** Reasons of the members of a union that did not allow, during one decision. */
final class Refusals {
    private static final String SEPARATOR = "; ";

    private String undecided = "";
    private boolean failed;
    private boolean denied;
    private String reasons = "";

    void add(Member member, Decision decision) {
        switch (decision) {
            case Undecided(Cause cause, String reason) -> {
                failed |= cause == Cause.FAILED;
                undecided = join(undecided, reason.isEmpty() ? member.name() : member.name() + ": " + reason);
            }
            case Deny(String reason) -> {
                denied = true;
                reasons = join(reasons, reason);
            }
            case NoOpinion(String reason) -> reasons = join(reasons, reason);
            case Allow allow -> throw new IllegalArgumentException("no refusal: " + allow.reason());
        }
    }

    /** Returns the reasons, without duplicates. */
    private static String join(String before, String reason) {
        if (reason.isEmpty() || contains(before, reason)) {
            return before;
        }
        return before.isEmpty() ? reason : before + SEPARATOR + reason;
    }

    private static boolean contains(String before, String reason) {
        return before.equals(reason)
                || before.endsWith(SEPARATOR + reason)
                || before.startsWith(reason + SEPARATOR)
                || before.contains(SEPARATOR + reason + SEPARATOR);
    }

    Decision combined() {
        if (!undecided.isEmpty()) {
            return new Undecided(failed ? Cause.FAILED : Cause.NOT_LOADED, undecided);
        }
        if (denied) {
            return new Deny(reasons);
        }
        return reasons.isEmpty() ? NoOpinion.SILENT : new NoOpinion(reasons);
    }
}
