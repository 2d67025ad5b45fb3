package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.commandline.UsageException;
import io.plat.process.BackgroundLoop;
import io.plat.process.Tasks;
import io.plat.review.source.Quoted;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lifecycle of a server's process. Exit status: 0 after SIGTERM or SIGINT and after {@code --help} or {@code --version}, 1 if a file or address of a
 * flag cannot be used, 2 for an invalid command line.
 *
 * @param onRunning receives the server before it is announced
 */
public record ServerProcess(
        ServerProgram program, Consumer<ServerProgram.Running> onRunning, PrintStream out, PrintStream err) {
    private static final int UNUSABLE = 1;
    private static final int USAGE = 2;

    /** Time after which a slow start is first reported. */
    private static final Duration FIRST_REPORT = Duration.ofSeconds(5);

    /**
     * Result of a start.
     *
     * @param status the exit code of a process that has finished, else 0
     * @param running the server, if there is one
     */
    record Started(int status, Optional<ServerProgram.Running> running) {}

    /** Runs a server and exits this process. For main methods. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void run(ServerProgram program, String... arguments) {
        ProcessLogging.configure(false);
        Started started =
                new ServerProcess(program, ServerProcess::stopOnSignal, System.out, System.err).start(arguments);
        if (started.running().isEmpty()) {
            System.exit(started.status());
        }
        HeapWatch.start();
        awaitEnd();
    }

    /** Runs a command and exits this process. For main methods. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void runTool(ToolProgram tool, String... arguments) {
        ProcessLogging.configure(false);
        System.exit(runTool(tool, System.out, System.err, arguments));
    }

    static int runTool(ToolProgram tool, PrintStream out, PrintStream err, String... arguments) {
        try {
            out.print(
                    switch (tool.flags().parse(arguments)) {
                        case FlagSet.Request.Print print -> print.text();
                        case FlagSet.Request.Run run -> tool.run(run.values());
                    });
            out.flush();
            return 0;
        } catch (UsageException e) {
            return refused(err, USAGE, e.problems());
        } catch (StartException unusable) {
            return refused(err, UNUSABLE, unusable.problems());
        }
    }

    Started start(String... arguments) {
        try {
            return switch (program.flags().parse(arguments)) {
                case FlagSet.Request.Print print -> {
                    out.print(print.text());
                    out.flush();
                    yield new Started(0, Optional.empty());
                }
                case FlagSet.Request.Run run -> {
                    ServerProgram.Running running = start(run.values());
                    // Registered before the line is printed, as a program that waits for it may send a signal at once.
                    onRunning.accept(running);
                    PrintStream output = running.ownsStdout() ? err : out;
                    output.println("listening on " + running.url());
                    output.flush();
                    running.announced();
                    yield new Started(0, Optional.of(running));
                }
            };
        } catch (UsageException e) {
            return new Started(refused(err, USAGE, e.problems()), Optional.empty());
        } catch (StartException unusable) {
            return new Started(refused(err, UNUSABLE, unusable.problems()), Optional.empty());
        }
    }

    private ServerProgram.Running start(FlagValues values) throws StartException {
        try (BackgroundLoop reports = BackgroundLoop.platform("start", new StartReports(FIRST_REPORT))) {
            reports.start();
            return program.start(values);
        } catch (StartException unusable) {
            throw new StartException(unusable.problems().stream()
                    .map(values::withFlag)
                    .distinct()
                    .toList());
        }
    }

    private static int refused(PrintStream err, int status, List<String> problems) {
        problems.forEach(problem -> err.println(Quoted.oneLine(problem)));
        err.flush();
        return status;
    }

    /**
     * Stops the server on a signal. The JVM would then exit with 128 plus the signal's number, which service managers treat as a failure, so the
     * shutdown hook halts it with 0.
     */
    private static void stopOnSignal(ServerProgram.Running running) {
        Logger log = LoggerFactory.getLogger(ServerProcess.class);
        Tasks.atExit("stop", () -> {
            log.info("stopping");
            int status = stop(running, log);
            Runtime.getRuntime().halt(status);
        });
    }

    private static int stop(ServerProgram.Running running, Logger log) {
        try {
            running.stop();
            log.info("stopped");
            return 0;
        } catch (InterruptedException | RuntimeException failed) {
            log.error("stopping failed", failed);
            return UNUSABLE;
        }
    }

    /** Reports of a slow start, at intervals that double. */
    static final class StartReports implements BackgroundLoop.Work {
        private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

        private final long began = System.nanoTime();
        private Duration interval;
        private boolean waited;

        StartReports(Duration first) {
            this.interval = first;
        }

        @Override
        public Duration round() {
            if (waited) {
                Runtime memory = Runtime.getRuntime();
                LOG.info(
                        "still starting, reading policies and stored objects: elapsed_s={} heap_mib={}",
                        Duration.ofNanos(System.nanoTime() - began).toSeconds(),
                        (memory.totalMemory() - memory.freeMemory()) >> 20);
                interval = interval.multipliedBy(2);
            }
            waited = true;
            return interval;
        }
    }

    private static void awaitEnd() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }
}
