package io.plat.cli.climb;

import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import java.util.List;
import java.util.Objects;

/**
 * A way up.
 *
 * @param who climbs
 * @param steps in their order, at least one
 * @param toEverything whether every right there is stands at its end; else those of the last step's subject
 */
public record Climb(SubjectName who, List<Step> steps, boolean toEverything) {
    public Climb {
        Objects.requireNonNull(who);
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a climb without a step");
        }
    }

    /** How the first step is made. */
    public Way way() {
        return steps.getFirst().way();
    }

    /**
     * One step.
     *
     * @param way how it is made
     * @param by a right that it takes
     * @param to whom one is afterwards; {@link SubjectName#EVERYBODY} where it is whomever one likes, and where it is oneself with the
     *     role that {@code by} names
     */
    public record Step(Way way, ResourceAttributes by, SubjectName to) {
        public Step {
            Objects.requireNonNull(way);
            Objects.requireNonNull(by);
            Objects.requireNonNull(to);
        }
    }
}
