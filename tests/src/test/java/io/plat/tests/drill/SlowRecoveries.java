package io.plat.tests.drill;

import io.plat.tests.drill.Observations.InjectedFault;
import io.plat.tests.drill.Observations.ServedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Finds faults after which a server did not recover in time. */
final class SlowRecoveries {
    private SlowRecoveries() {}

    static List<Violation> in(Observations observations, Duration limit, int servers) {
        List<Violation> violations = new ArrayList<>();
        for (InjectedFault fault : observations.faults()) {
            for (int server = 0; server < servers; server++) {
                OptionalLong recovery = recovery(observations.served(), fault, server);
                if (recovery.isEmpty() || recovery.getAsLong() > limit.toNanos()) {
                    violations.add(new Violation(
                            Violation.Kind.RECOVERY,
                            "server " + server + " did not recover within " + limit.toMillis() + " ms of the end of \""
                                    + fault.fault() + "\"; it "
                                    + (recovery.isEmpty()
                                            ? "never recovered"
                                            : String.format(
                                                    Locale.ROOT,
                                                    "recovered after %.1f s",
                                                    recovery.getAsLong() / 1e9))));
                }
            }
        }
        return violations;
    }

    /** Returns the time from a fault's end until a server responded to a later request, in nanoseconds. */
    static OptionalLong recovery(List<ServedRequest> served, InjectedFault fault, int server) {
        return served.stream()
                .filter(one -> one.server() == server && one.called() >= fault.ended())
                .mapToLong(one -> one.returned() - fault.ended())
                .min();
    }
}
