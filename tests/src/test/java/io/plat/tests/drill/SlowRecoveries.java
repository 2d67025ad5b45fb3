package io.plat.tests.drill;

import io.plat.tests.drill.Seen.Befallen;
import io.plat.tests.drill.Seen.Served;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Finds faults after whose end a server did not serve within a time. */
final class SlowReturns {
    private SlowReturns() {}

    static List<Violation> in(Seen seen, Duration limit, int servers) {
        List<Violation> found = new ArrayList<>();
        for (Befallen fault : seen.faults()) {
            for (int server = 0; server < servers; server++) {
                OptionalLong back = back(seen.served(), fault, server);
                if (back.isEmpty() || back.getAsLong() > limit.toNanos()) {
                    found.add(new Violation(
                            Violation.Kind.RETURN,
                            "server " + server + " did not serve within " + limit.toMillis() + " ms of the end of \""
                                    + fault.fault() + "\", but "
                                    + (back.isEmpty()
                                            ? "never"
                                            : String.format(Locale.ROOT, "after %.1f s", back.getAsLong() / 1e9))));
                }
            }
        }
        return found;
    }

    /** Returns the time from a fault's end until a server responded to a later request, in nanoseconds. */
    static OptionalLong back(List<Served> served, Befallen fault, int server) {
        return served.stream()
                .filter(one -> one.server() == server && one.called() >= fault.ended())
                .mapToLong(one -> one.returned() - fault.ended())
                .min();
    }
}
