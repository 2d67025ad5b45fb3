package io.plat.tests.drill;

import io.plat.tests.drill.Observations.Acknowledged;
import io.plat.tests.drill.Observations.WatchedEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds acknowledged writes without effect: no watcher received them and the object does not have their state. Also finds objects whose
 * final state differs from their last change.
 */
final class LostWrites {
    private LostWrites() {}

    static List<Violation> in(Observations observations) {
        List<Violation> found = new ArrayList<>();
        Set<Acknowledged> happened = new HashSet<>();
        Map<String, WatchedEvent> last = new TreeMap<>();
        for (Observations.WatcherLog watch : observations.watches()) {
            for (WatchedEvent event : watch.events()) {
                happened.add(new Acknowledged(
                        event.name(), event.state(), event.type().equals("DELETED")));
                if (event.version() <= observations.finished().version()
                        && !event.type().equals("ERROR")) {
                    last.merge(event.name(), event, (one, other) -> one.version() >= other.version() ? one : other);
                }
            }
        }
        for (Acknowledged write : observations.acknowledged()) {
            Long there = observations.finished().states().get(write.name());
            boolean lasts = !write.removal() && there != null && there == write.state();
            if (!lasts && !happened.contains(write)) {
                found.add(new Violation(
                        Violation.Kind.LOST,
                        (write.removal() ? "the removal of " : "") + write.name() + "=" + write.state()
                                + " was acknowledged, nobody was told of it, and in the end there is "
                                + (there == null ? "nothing" : there)));
            }
        }
        last.forEach((name, event) -> {
            Long there = observations.finished().states().get(name);
            boolean removed = event.type().equals("DELETED");
            if (removed ? there != null : there == null || there != event.state()) {
                found.add(new Violation(
                        Violation.Kind.LOST,
                        "the last change told of is " + event + ", and in the end there is "
                                + (there == null ? "nothing" : there)));
            }
        });
        return found;
    }
}
