package io.plat.apiserver.garbage;

import io.plat.apiserver.garbage.Owners.State;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges objects by what the store holds now, never by what was remembered of their owners: an owner that was only not seen yet must
 * not cost its dependents their lives.
 */
final class Judge {
    private final Owners owners;
    private final Graph graph;

    Judge(Owners owners, Graph graph) {
        this.owners = owners;
        this.graph = graph;
    }

    /**
     * Returns the verdicts that an object's state leads to: none if it has an owner, is gone, or nobody can know.
     *
     * @param object its present state; the dependents are known up to that
     * @param snapshot where owners are looked up
     */
    List<? extends Verdict> on(Ownership object, Snapshot snapshot) throws StorageException {
        List<Ownership> dependents = graph.dependents(object.uid()).stream()
                .filter(dependent -> !references(dependent, object).isEmpty())
                .toList();
        if (object.orphans()) {
            return dependents.isEmpty()
                    ? List.of(Verdict.finalizer(object, Finalizers.ORPHAN))
                    : dependents.stream()
                            .map(dependent -> Verdict.references(dependent, references(dependent, object)))
                            .toList();
        }
        if (object.waits()) {
            boolean blocked = dependents.stream()
                    .anyMatch(dependent -> references(dependent, object).stream()
                            .anyMatch(
                                    position -> dependent.owners().get(position).blocks()));
            return blocked ? List.of() : List.of(Verdict.finalizer(object, Finalizers.FOREGROUND));
        }
        return object.deleting() ? List.of() : dependent(object, dependents, snapshot);
    }

    /** Returns the positions of an object's references to an owner. */
    private List<Integer> references(Ownership dependent, Ownership owner) {
        return Verdict.positions(dependent, reference -> owners.isOwner(owner, dependent.key(), reference));
    }

    private List<Verdict> dependent(Ownership object, List<Ownership> dependents, Snapshot snapshot)
            throws StorageException {
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
            return List.of(Verdict.references(object, gone));
        }
        boolean foreground = waiting && !dependents.isEmpty();
        // Where what belongs to an object already waits for what belongs to it in turn, there may be a circle in which
        // each waits for the
        // next. It is opened by letting no owner wait for this object.
        boolean circle = foreground && dependents.stream().anyMatch(Ownership::waits);
        return List.of(new Verdict.Delete(
                object,
                foreground ? Propagation.FOREGROUND : Propagation.UNSAID,
                circle ? Verdict.positions(object, OwnerReference::blocks) : List.of()));
    }
}
