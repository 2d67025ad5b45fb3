package io.plat.tests.drill;

import io.plat.tests.linear.Linearizability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks observations against all guarantees. */
final class Checks {
    private Checks() {}

    /**
     * Returns observations that a correct system cannot show.
     *
     * @param limit maximum time to recovery after a fault
     */
    static List<Violation> violations(Observations observations, Duration limit) {
        List<Violation> all = new ArrayList<>();
        Linearizability.violation(observations.operations())
                .ifPresent(text -> all.add(new Violation(Violation.Kind.ORDER, text)));
        all.addAll(LostWrites.in(observations));
        all.addAll(WatchedChanges.in(observations));
        all.addAll(WrongDecisions.in(observations));
        all.addAll(SlowRecoveries.in(observations, limit, DrilledSystem.SERVERS));
        return all;
    }
}
