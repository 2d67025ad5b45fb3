package io.plat.apiserver.garbage;

import io.plat.apiserver.garbage.OwnerLookup.State;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates objects by the current state of the store, never by cached state: an owner that was merely not seen yet must not cause the
 * deletion of its dependents.
 */
record GarbageEvaluator(OwnerLookup owners, Graph graph) {
    /**
     * Returns the actions for an object: none if it has an owner, is gone, or its owners are unknown.
     *
     * @param object current state; the graph has all dependents up to it
     */
    List<? extends GarbageAction> on(GraphNode object, Snapshot snapshot) {
        List<GraphNode> dependents = graph.dependents(object.uid()).stream()
                .filter(dependent -> !references(dependent, object).isEmpty())
                .toList();
        if (object.orphans()) {
            return dependents.isEmpty()
                    ? List.of(GarbageAction.finalizer(object, Finalizers.ORPHAN))
                    : dependents.stream()
                            .map(dependent -> GarbageAction.references(dependent, references(dependent, object)))
                            .toList();
        }
        if (object.waits()) {
            boolean blocked = dependents.stream()
                    .anyMatch(dependent -> references(dependent, object).stream()
                            .anyMatch(
                                    position -> dependent.owners().get(position).blocks()));
            return blocked ? List.of() : List.of(GarbageAction.finalizer(object, Finalizers.FOREGROUND));
        }
        return object.deleting() ? List.of() : dependent(object, dependents, snapshot);
    }

    private List<Integer> references(GraphNode dependent, GraphNode owner) {
        return GarbageAction.positions(dependent, reference -> owners.isOwner(owner, dependent.key(), reference));
    }

    private List<GarbageAction> dependent(GraphNode object, List<GraphNode> dependents, Snapshot snapshot) {
        var gone = new ArrayList<Integer>();
        boolean present = false;
        boolean waiting = false;
        for (int i = 0; i < object.owners().size(); i++) {
            State state = owners.state(object.key(), object.owners().get(i), snapshot);
            switch (state) {
                case UNKNOWN -> {
                    return List.of();
                }
                case PRESENT -> present = true;
                case WAITING, ABSENT -> gone.add(i);
            }
            waiting |= state == State.WAITING;
        }
        if (gone.isEmpty()) {
            return List.of();
        }
        if (present) {
            return List.of(GarbageAction.references(object, gone));
        }
        boolean foreground = waiting && !dependents.isEmpty();
        // If a dependent waits for its own dependents in turn, there may be a cycle. It is broken by owners that no
        // longer wait for this object.
        boolean cycle = foreground && dependents.stream().anyMatch(GraphNode::waits);
        return List.of(new GarbageAction.Delete(
                object,
                foreground ? Propagation.FOREGROUND : Propagation.UNSPECIFIED,
                cycle ? GarbageAction.positions(object, OwnerReference::blocks) : List.of()));
    }
}
