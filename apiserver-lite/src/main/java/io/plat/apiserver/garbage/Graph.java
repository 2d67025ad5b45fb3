package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of the objects that have owners or wait for dependents, and which of them have to be judged because of a change. For
 * one thread.
 */
final class Graph {
    private final Dependents dependents = new Dependents();
    private final Map<String, Key> waiting = new HashMap<>();
    private final Set<Key> queue = new LinkedHashSet<>();

    Dependents dependents() {
        return dependents;
    }

    /** An object is there, in this state. */
    void seen(Ownership object) {
        List<OwnerReference> before =
                dependents.put(object).map(Ownership::owners).orElse(List.of());
        if (!object.owners().equals(before)) {
            judgeWaiting(before);
            judge(object.key());
        }
        if (object.waits() || object.orphans()) {
            judge(object.key());
            boolean begins = waiting.put(object.uid(), object.key()) == null;
            if (begins && object.waits()) {
                dependents.of(object.uid()).forEach(dependent -> judge(dependent.key()));
            }
        }
    }

    /** An object is gone; this was its last state. */
    void gone(Ownership object) {
        dependents.remove(object.key());
        waiting.remove(object.uid());
        judgeWaiting(object.owners());
        dependents.of(object.uid()).forEach(dependent -> judge(dependent.key()));
    }

    private void judgeWaiting(List<OwnerReference> owners) {
        for (OwnerReference owner : owners) {
            Key key = waiting.get(owner.uid());
            if (key != null) {
                judge(key);
            }
        }
    }

    /** An object has to be judged. */
    void judge(Key key) {
        queue.add(key);
    }

    boolean idle() {
        return queue.isEmpty();
    }

    /** Takes objects that have to be judged, those that have waited longest first. */
    List<Key> take(int most) {
        var taken = new ArrayList<Key>();
        var keys = queue.iterator();
        while (taken.size() < most && keys.hasNext()) {
            taken.add(keys.next());
            keys.remove();
        }
        return taken;
    }

    /** Forgets everything. */
    void clear() {
        dependents.clear();
        waiting.clear();
        queue.clear();
    }
}
