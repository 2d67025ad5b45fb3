package io.plat.apiserver.garbage;

import io.plat.apiserver.resource.DeleteOptions.Propagation;
import java.util.List;

/** What is to be done with an object. */
sealed interface Verdict {
    /** Nothing: it has an owner, is gone, or nobody can know. */
    record Leave() implements Verdict {}

    /**
     * It has lost its last owner.
     *
     * @param propagation what becomes of what belongs to it
     * @param unblocked the positions of references that must no longer hold an owner back, as these wait for each other in a circle
     */
    record Delete(Ownership object, Propagation propagation, List<Integer> unblocked) implements Verdict {
        public Delete {
            unblocked = List.copyOf(unblocked);
        }
    }

    /**
     * Some of its references mean nothing any more.
     *
     * @param positions which, in ascending order
     */
    record DropReferences(Ownership object, List<Integer> positions) implements Verdict {
        public DropReferences {
            positions = List.copyOf(positions);
        }
    }

    /** Nothing holds it on our account any more. */
    record DropFinalizer(Ownership object, String finalizer) implements Verdict {}

    /** It waits until none of those that refer to it does so any more. */
    record Release(Ownership owner, List<Ownership> dependents) implements Verdict {
        public Release {
            dependents = List.copyOf(dependents);
        }
    }
}
