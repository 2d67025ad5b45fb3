package io.plat.tests.drill;

import io.plat.tests.drill.Observations.WatchedEvent;
import io.plat.tests.drill.Observations.WatcherLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds events that watchers received twice, out of order or not at all. A received event all, so that every watcher must receive it;
 * each change follows from the previous ones.
 */
final class WatchedChanges {
    private WatchedChanges() {}

    static List<Violation> in(Observations observations) {
        List<Violation> violations = new ArrayList<>();
        NavigableMap<Long, WatchedEvent> all = new TreeMap<>();
        for (WatcherLog watch : observations.watches()) {
            for (WatchedEvent event : watch.events()) {
                if (event.type().equals("ERROR")
                        || event.version() > observations.finished().required()) {
                    continue;
                }
                WatchedEvent other = all.putIfAbsent(event.version(), event);
                if (other != null && !other.equals(event)) {
                    violations.add(violation(watch, "received " + event + " where another watcher received " + other));
                }
            }
        }
        for (WatcherLog watch : observations.watches()) {
            checkOrder(watch, violations);
            checkMissed(watch, all.tailMap(watch.from(), false), violations);
        }
        return violations;
    }

    private static void checkOrder(WatcherLog watch, List<Violation> violations) {
        Set<String> existing = new HashSet<>();
        Set<String> known = new HashSet<>();
        long version = watch.from();
        for (WatchedEvent event : watch.events()) {
            if (event.type().equals("ERROR")) {
                violations.add(violation(watch, "could not resume after " + version + ": " + event.name()));
                continue;
            }
            if (event.version() <= version) {
                violations.add(violation(watch, "received " + event + " after version " + version));
            }
            version = Math.max(version, event.version());
            boolean removed = event.type().equals("DELETED");
            boolean before = removed ? existing.remove(event.name()) : !existing.add(event.name());
            // The state before the start of the watch is unknown.
            if (known.contains(event.name()) && before == event.type().equals("ADDED")) {
                violations.add(violation(watch, "received " + event + ", which does not follow from earlier events"));
            }
            known.add(event.name());
        }
    }

    private static void checkMissed(WatcherLog watch, Map<Long, WatchedEvent> all, List<Violation> violations) {
        Set<Long> events = new HashSet<>();
        watch.events().forEach(one -> events.add(one.version()));
        for (WatchedEvent one : all.values()) {
            if (!events.contains(Objects.requireNonNull(one).version())) {
                violations.add(violation(watch, "did not receive " + one));
            }
        }
    }

    private static Violation violation(WatcherLog watch, String problem) {
        return new Violation(Violation.Kind.WATCH, watch.name() + " " + problem);
    }
}
