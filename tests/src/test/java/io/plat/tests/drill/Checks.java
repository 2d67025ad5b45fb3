package io.plat.tests.drill;

import io.plat.tests.linear.Linearizability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Judges what was seen by every promise. */
final class Checks {
    private Checks() {}

    /**
     * Returns observations that a correct system can't show.
     *
     * @param limit maximum time to recovery after a fault
     */
    static List<Violation> violations(Seen seen, Duration limit) {
        List<Violation> all = new ArrayList<>();
        Linearizability.violation(seen.operations())
                .ifPresent(text -> all.add(new Violation(Violation.Kind.ORDER, text)));
        all.addAll(LostWrites.in(seen));
        all.addAll(WatchedChanges.in(seen));
        all.addAll(WrongDecisions.in(seen));
        all.addAll(SlowReturns.in(seen, limit, DrilledSystem.SERVERS));
        return all;
    }
}
