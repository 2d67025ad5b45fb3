package io.plat.apiserver.garbage;

import io.plat.apiserver.options.DeleteOptions.Propagation;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** A change that is to be made to an object. */
sealed interface Verdict {
    /** The object to change. */
    Ownership object();

    /**
     * It has lost its last owner.
     *
     * @param propagation what is to be done with its dependents
     * @param unblocked the positions of references that must no longer hold an owner back, as these wait for each other in a circle
     */
    record Delete(Ownership object, Propagation propagation, List<Integer> unblocked) implements Verdict {
        public Delete {
            unblocked = List.copyOf(unblocked);
        }
    }

    /**
     * Some of its references mean nothing any more, or nothing holds it on the collector's account.
     *
     * @param list the list of the metadata that loses items
     * @param positions which, in ascending order
     */
    record Drop(Ownership object, String list, List<Integer> positions) implements Verdict {
        public Drop {
            positions = List.copyOf(positions);
        }
    }

    /** Removes references from an object. */
    static Drop references(Ownership object, List<Integer> positions) {
        return new Drop(object, "ownerReferences", positions);
    }

    /** Removes a finalizer from an object. */
    static Drop finalizer(Ownership object, String finalizer) {
        return new Drop(object, "finalizers", List.of(object.finalizers().indexOf(finalizer)));
    }

    /** Returns the positions of an object's references that are of a kind. */
    static List<Integer> positions(Ownership object, Predicate<OwnerReference> kind) {
        return IntStream.range(0, object.owners().size())
                .filter(i -> kind.test(object.owners().get(i)))
                .boxed()
                .toList();
    }
}
