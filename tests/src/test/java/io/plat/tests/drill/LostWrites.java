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
        List<Violation> violations = new ArrayList<>();
        Set<Acknowledged> observed = new HashSet<>();
        Map<String, WatchedEvent> last = new TreeMap<>();
        for (Observations.WatcherLog watch : observations.watches()) {
            for (WatchedEvent event : watch.events()) {
                observed.add(new Acknowledged(
                        event.name(), event.state(), event.type().equals("DELETED")));
                if (event.version() <= observations.finished().version()
                        && !event.type().equals("ERROR")) {
                    last.merge(event.name(), event, (one, other) -> one.version() >= other.version() ? one : other);
                }
            }
        }
        for (Acknowledged write : observations.acknowledged()) {
            Long stored = observations.finished().states().get(write.name());
            boolean isFinal = !write.removal() && stored != null && stored == write.state();
            if (!isFinal && !observed.contains(write)) {
                violations.add(new Violation(
                        Violation.Kind.LOST,
                        (write.removal() ? "the removal of " : "") + write.name() + "=" + write.state()
                                + " was acknowledged, but no watcher received it, and the final state is "
                                + (stored == null ? "absent" : stored)));
            }
        }
        last.forEach((name, event) -> {
            Long stored = observations.finished().states().get(name);
            boolean removed = event.type().equals("DELETED");
            if (removed ? stored != null : stored == null || stored != event.state()) {
                violations.add(new Violation(
                        Violation.Kind.LOST,
                        "the last event is " + event + ", but the final state is "
                                + (stored == null ? "absent" : stored)));
            }
        });
        return violations;
    }
}
