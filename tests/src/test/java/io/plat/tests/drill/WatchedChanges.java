package io.plat.tests.drill;

import io.plat.tests.drill.Seen.Told;
import io.plat.tests.drill.Seen.Watched;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds what watchers were told twice, in the wrong order or not at all. What one was told has happened, so that each has to be told all
 * that any was; each change follows from those before it.
 */
final class WatchedChanges {
    private WatchedChanges() {}

    static List<Violation> in(Seen seen) {
        List<Violation> found = new ArrayList<>();
        NavigableMap<Long, Told> happened = new TreeMap<>();
        for (Watched watch : seen.watches()) {
            for (Told told : watch.told()) {
                if (told.type().equals("ERROR")
                        || told.version() > seen.finished().told()) {
                    continue;
                }
                Told other = happened.putIfAbsent(told.version(), told);
                if (other != null && !other.equals(told)) {
                    found.add(violation(watch, "was told " + told + " where another was told " + other));
                }
            }
        }
        for (Watched watch : seen.watches()) {
            order(watch, found);
            missed(watch, happened.tailMap(watch.from(), false), found);
        }
        return found;
    }

    private static void order(Watched watch, List<Violation> found) {
        Set<String> there = new HashSet<>();
        Set<String> known = new HashSet<>();
        long version = watch.from();
        for (Told told : watch.told()) {
            if (told.type().equals("ERROR")) {
                found.add(violation(watch, "could not go on behind " + version + ": " + told.name()));
                continue;
            }
            if (told.version() <= version) {
                found.add(violation(watch, "was told " + told + " after version " + version));
            }
            version = Math.max(version, told.version());
            boolean removed = told.type().equals("DELETED");
            boolean before = removed ? there.remove(told.name()) : !there.add(told.name());
            // What was there before the watch began is not known.
            if (known.contains(told.name()) && before == told.type().equals("ADDED")) {
                found.add(
                        violation(watch, "was told " + told + ", which does not follow from what it was told before"));
            }
            known.add(told.name());
        }
    }

    private static void missed(Watched watch, Map<Long, Told> happened, List<Violation> found) {
        Set<Long> told = new HashSet<>();
        watch.told().forEach(one -> told.add(one.version()));
        for (Told one : happened.values()) {
            if (!told.contains(Objects.requireNonNull(one).version())) {
                found.add(violation(watch, "was never told " + one));
            }
        }
    }

    private static Violation violation(Watched watch, String what) {
        return new Violation(Violation.Kind.TOLD, watch.name() + " " + what);
    }
}
