package io.plat.apiserver.garbage;

import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Required change of an object. */
sealed interface GarbageAction {
    GraphNode object();

    /**
     * Deletion of an object without owners.
     *
     * @param unblocked positions of owner references whose blocking must be removed, to break a cycle
     */
    record Delete(GraphNode object, Propagation propagation, List<Integer> unblocked) implements GarbageAction {
        public Delete {
            unblocked = List.copyOf(unblocked);
        }
    }

    /**
     * Removal of list items from metadata, such as dangling owner references or a finalizer.
     *
     * @param positions positions in ascending order
     */
    record RemoveItems(GraphNode object, String list, List<Integer> positions) implements GarbageAction {
        public RemoveItems {
            positions = List.copyOf(positions);
        }
    }

    static RemoveItems references(GraphNode object, List<Integer> positions) {
        return new RemoveItems(object, "ownerReferences", positions);
    }

    static RemoveItems finalizer(GraphNode object, String finalizer) {
        return new RemoveItems(object, "finalizers", List.of(object.finalizers().indexOf(finalizer)));
    }

    static List<Integer> positions(GraphNode object, Predicate<OwnerReference> kind) {
        return IntStream.range(0, object.owners().size())
                .filter(i -> kind.test(object.owners().get(i)))
                .boxed()
                .toList();
    }
}
