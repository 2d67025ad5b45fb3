package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.Program;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Complete processes of {@code plat can-i} and of {@code kubectl auth can-i}, alternating, with the same client file and server over mutual
 * TLS: prints both medians and their ratio.
 */
final class CommandLineLoad {
    private static final int WARM_UP = 5;
    private static final int RUNS = 40;

    private CommandLineLoad() {}

    /** Runs it. Takes no arguments. */
    static void main() {
        try (DelegatingSystem system = DelegatingSystem.start()) {
            String client = "--kubeconfig=" + system.clientFile("alice");
            String[] request = {"can-i", "get", "pods", "-n", "team-a", client};
            Command ours = Command.of(Program.PLAT, request);
            Command theirs = Command.of("kubectl", "auth").with(request);
            long[] platTimes = new long[RUNS];
            long[] kubectlTimes = new long[RUNS];
            for (int i = -WARM_UP; i < RUNS; i++) {
                long plat = run(ours);
                long kubectl = run(theirs);
                if (i >= 0) {
                    platTimes[i] = plat;
                    kubectlTimes[i] = kubectl;
                }
            }
            print(platTimes, kubectlTimes);
        }
    }

    private static long run(Command command) {
        long started = System.nanoTime();
        CompletedProcess finished = command.run();
        long elapsed = System.nanoTime() - started;
        if (!finished.out().equals("yes\n")) {
            throw new IllegalStateException("expected \"yes\", found " + finished);
        }
        return elapsed;
    }

    private static void print(long[] ours, long[] theirs) {
        System.out.printf(
                "plat can-i: median %d ms (least %d); kubectl auth can-i: median %d ms (least %d); %.2f times%n",
                millis(median(ours)),
                millis(minimum(ours)),
                millis(median(theirs)),
                millis(minimum(theirs)),
                (double) median(ours) / median(theirs));
    }

    private static long median(long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static long minimum(long[] times) {
        return Arrays.stream(times).min().orElseThrow();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
