package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process that accepts connections. Closing it stops it with SIGTERM, and kills it if that does not help. */
public final class RunningServer implements AutoCloseable {
    private static final String FIRST_LINE = "listening on ";
    private static final Duration START = Duration.ofSeconds(60);

    private final Process process;
    private final Path directory;
    private final URI address;
    private final boolean ownProcess;

    private RunningServer(Process process, Path directory, URI address, boolean ownProcess) {
        this.process = process;
        this.directory = directory;
        this.address = address;
        this.ownProcess = ownProcess;
    }

    /**
     * Starts a server, with the selected storage for an API server, and waits for its first line.
     *
     * @throws AssertionError with its stderr, if it ends before
     */
    public static RunningServer start(Program program, List<String> arguments) {
        return start(program.launcher(), arguments);
    }

    /**
     * Starts a server in the JVM that tests share ({@link Program#reused}), and waits for its first line.
     *
     * @throws AssertionError with its stderr, if it ends before
     */
    public static RunningServer startReused(Program program, List<String> arguments) {
        return start(program.reused(), arguments);
    }

    /**
     * Starts a server through a program that executes it.
     *
     * @throws AssertionError with its stderr, if it ends before
     */
    public static RunningServer start(Path program, List<String> arguments) {
        return startWith(program, ChosenStorage.in(arguments));
    }

    /**
     * Starts an API server with exclusive storage in the JVM that tests share, so that versions only change through it.
     *
     * @throws AssertionError with its stderr, if it ends before
     */
    public static RunningServer startAlone(Program program, List<String> arguments) {
        return startWith(program.reused(), ChosenStorage.alone(arguments));
    }

    private static RunningServer startWith(Path program, List<String> arguments) {
        try {
            Path directory = Files.createTempDirectory("plat-server");
            List<String> words = new ArrayList<>();
            words.add(program.toString());
            words.addAll(arguments);
            Process process = new ProcessBuilder(words)
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile())
                    .start();
            boolean started = false;
            String line;
            try {
                await("first line of " + program)
                        .atMost(START)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> !process.isAlive() || firstLine(directory).startsWith(FIRST_LINE));
                line = firstLine(directory);
                started = line.startsWith(FIRST_LINE);
            } finally {
                if (!started) {
                    process.destroyForcibly();
                }
            }
            if (!started) {
                throw new AssertionError(program + " ended with " + process.exitValue() + ", first line \"" + line
                        + "\": " + Files.readString(directory.resolve("err")));
            }
            return new RunningServer(
                    process,
                    directory,
                    URI.create(line.substring(FIRST_LINE.length()).strip()),
                    !HostJvm.runs(program));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstLine(Path directory) throws IOException {
        String out = Files.readString(directory.resolve("out"));
        int end = out.indexOf('\n');
        // If the decision log is on stdout, the line is on stderr.
        String err = Files.readString(directory.resolve("err"));
        return end >= 0
                ? out.substring(0, end)
                : err.substring(0, err.lastIndexOf('\n') + 1)
                        .lines()
                        .filter(line -> line.startsWith(FIRST_LINE))
                        .findFirst()
                        .orElse("");
    }

    /** Returns the address in its first line. */
    public URI address() {
        return address;
    }

    /** Returns its address with {@code localhost} as the host. */
    public URI at(String path) {
        return URI.create("https://localhost:" + address.getPort() + path);
    }

    /** Returns its port. */
    public int port() {
        return address.getPort();
    }

    /** Returns its process id. */
    public long pid() {
        requireOwnProcess();
        return process.pid();
    }

    /** Returns the output on stderr so far. */
    public String err() {
        try {
            return Files.readString(directory.resolve("err"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the output on stdout so far. */
    public String out() {
        try {
            return Files.readString(directory.resolve("out"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it and returns its exit status. */
    public int terminate() {
        process.destroy();
        return ended();
    }

    /** Kills it, like a power failure (SIGKILL). */
    public void kill() {
        requireOwnProcess();
        process.destroyForcibly();
        ended();
    }

    private void requireOwnProcess() {
        if (!ownProcess) {
            throw new IllegalStateException("shares its JVM with other tests");
        }
    }

    /** Returns a dump of its threads, including virtual ones. */
    private String threads() throws InterruptedException {
        Path dump = directory.resolve("threads");
        try {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process.pid()),
                            "Thread.dump_to_file",
                            "-overwrite",
                            dump.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return Files.readString(dump);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private int ended() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                String threads = threads();
                process.destroyForcibly().waitFor();
                throw new AssertionError("did not end within 60 s: " + err() + threads);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            terminate();
        }
        Directories.delete(directory);
    }
}
