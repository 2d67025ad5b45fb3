package io.plat.tests.drill;

import io.plat.tests.drill.Seen.Acknowledged;
import io.plat.tests.drill.Seen.Told;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds writes that were acknowledged and left no trace: no watcher was told of them and the object is not as they left it; and objects
 * that are not, in the end, as the last change left them.
 */
final class LostWrites {
    private LostWrites() {}

    static List<Violation> in(Seen seen) {
        List<Violation> found = new ArrayList<>();
        Set<Acknowledged> happened = new HashSet<>();
        Map<String, Told> last = new TreeMap<>();
        for (Seen.Watched watch : seen.watches()) {
            for (Told told : watch.told()) {
                happened.add(
                        new Acknowledged(told.name(), told.state(), told.type().equals("DELETED")));
                if (told.version() <= seen.finished().version() && !told.type().equals("ERROR")) {
                    last.merge(told.name(), told, (one, other) -> one.version() >= other.version() ? one : other);
                }
            }
        }
        for (Acknowledged write : seen.acknowledged()) {
            Long there = seen.finished().states().get(write.name());
            boolean lasts = !write.removal() && there != null && there == write.state();
            if (!lasts && !happened.contains(write)) {
                found.add(new Violation(
                        Violation.Kind.LOST,
                        (write.removal() ? "the removal of " : "") + write.name() + "=" + write.state()
                                + " was acknowledged, nobody was told of it, and in the end there is "
                                + (there == null ? "nothing" : there)));
            }
        }
        last.forEach((name, told) -> {
            Long there = seen.finished().states().get(name);
            boolean removed = told.type().equals("DELETED");
            if (removed ? there != null : there == null || there != told.state()) {
                found.add(new Violation(
                        Violation.Kind.LOST,
                        "the last change told of is " + told + ", and in the end there is "
                                + (there == null ? "nothing" : there)));
            }
        });
        return found;
    }
}
