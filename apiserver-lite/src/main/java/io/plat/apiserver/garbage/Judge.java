package io.plat.apiserver.garbage;

import io.plat.apiserver.garbage.Owners.State;
import io.plat.apiserver.resource.DeleteOptions.Propagation;
import io.plat.apiserver.resource.Finalizers;
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
    private final Dependents dependents;

    Judge(Owners owners, Dependents dependents) {
        this.owners = owners;
        this.dependents = dependents;
    }

    /**
     * The verdict on an object.
     *
     * @param object its present state; the dependents are known up to that
     * @param snapshot where owners are looked up
     */
    Verdict on(Ownership object, Snapshot snapshot) throws StorageException {
        if (object.orphans()) {
            List<Ownership> held = dependents.of(object.uid());
            return held.isEmpty()
                    ? new Verdict.DropFinalizer(object, Finalizers.ORPHAN)
                    : new Verdict.Release(object, held);
        }
        if (object.waits()) {
            return dependents.block(object.uid())
                    ? new Verdict.Leave()
                    : new Verdict.DropFinalizer(object, Finalizers.FOREGROUND);
        }
        return object.deleting() ? new Verdict.Leave() : dependent(object, snapshot);
    }

    private Verdict dependent(Ownership object, Snapshot snapshot) throws StorageException {
        var gone = new ArrayList<Integer>();
        boolean present = false;
        boolean waiting = false;
        for (int i = 0; i < object.owners().size(); i++) {
            State state = owners.state(object.key(), object.owners().get(i), snapshot);
            switch (state) {
                case UNKNOWN -> {
                    return new Verdict.Leave();
                }
                case PRESENT -> present = true;
                case WAITING, ABSENT -> gone.add(i);
            }
            waiting |= state == State.WAITING;
        }
        if (gone.isEmpty()) {
            return new Verdict.Leave();
        }
        if (present) {
            return new Verdict.DropReferences(object, gone);
        }
        boolean foreground = waiting && !dependents.of(object.uid()).isEmpty();
        return foreground
                ? new Verdict.Delete(object, Propagation.FOREGROUND, unblocked(object))
                : new Verdict.Delete(object, Propagation.UNSAID, List.of());
    }

    /**
     * Where what belongs to an object already waits for what belongs to it in turn, there may be a circle in which each waits for the
     * next. It is opened by letting no owner wait for this object.
     */
    private List<Integer> unblocked(Ownership object) {
        var positions = new ArrayList<Integer>();
        if (dependents.of(object.uid()).stream().anyMatch(Ownership::waits)) {
            for (int i = 0; i < object.owners().size(); i++) {
                if (object.owners().get(i).blocks()) {
                    positions.add(i);
                }
            }
        }
        return positions;
    }
}
