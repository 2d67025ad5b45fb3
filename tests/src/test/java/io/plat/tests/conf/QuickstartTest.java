package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quickstart as a process: it always cleans up, and two instances exclude each other. */
class QuickstartTest {
    /** External commands that it uses, without flock. */
    private static final List<String> TOOLS = List.of(
            "bash", "env", "sed", "cat", "cp", "mkdir", "rm", "mv", "touch", "find", "sleep", "dirname", "kill");

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory = Path.of("");

    private FakeCheckout checkout = new FakeCheckout(directory);
    /** A directory of links; not inside the other one, as JUnit warns about deleted links. */
    private Path withoutFlock = Path.of("");

    private final List<ProcessHandle> started = new ArrayList<>();

    @BeforeEach
    void make() throws IOException {
        checkout = FakeCheckout.in(Files.createDirectory(directory.resolve("checkout")));
        withoutFlock = Files.createTempDirectory("plat-tools");
        for (String tool : TOOLS) {
            for (String location : List.of("/usr/bin", "/bin")) {
                if (Files.isExecutable(Path.of(location, tool)) && !Files.exists(withoutFlock.resolve(tool))) {
                    Files.createSymbolicLink(withoutFlock.resolve(tool), Path.of(location, tool));
                }
            }
        }
    }

    @AfterEach
    void end() {
        started.forEach(ProcessHandle::destroyForcibly);
        Directories.delete(withoutFlock);
    }

    private String path(boolean flock) {
        if (!flock) {
            return withoutFlock.toString();
        }
        assumeTrue(Command.installed("flock"), "no flock on the PATH");
        return System.getenv("PATH");
    }

    /** A quickstart that has started its servers, finished its checks, and keeps running. */
    private Process running(boolean flock) throws IOException {
        Path out = Files.createTempFile(directory, "quickstart", ".out");
        // A shell cannot trap signals that were ignored when it started, which may be the case for the test process.
        ProcessBuilder builder = new ProcessBuilder(
                        "/usr/bin/env", "--default-signal=HUP,INT,TERM", "bash", "conf/quickstart")
                .directory(checkout.root().toFile())
                .redirectOutput(out.toFile())
                .redirectError(out.toFile());
        builder.environment().put("PATH", path(flock));
        Process process = builder.start();
        started.add(process.toHandle());
        await().atMost(SOON)
                .until(() -> !process.isAlive() || Files.readString(out).contains("Ctrl-C stops everything"));
        assertThat(process.isAlive()).as(Files.readString(out)).isTrue();
        started.add(checkout.server("decider"));
        started.add(checkout.server("apiserver-lite"));
        return process;
    }

    private CompletedProcess once(boolean flock) {
        return Command.of(
                        "bash",
                        "-c",
                        "cd \"$0\" && exec bash conf/quickstart --once",
                        checkout.root().toString())
                .withEnvironment("PATH", path(flock))
                .run();
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(checkout.root().resolve("target"))) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                contents.put(file + " " + Files.getLastModifiedTime(file), Files.readString(file));
            }
        }
        return contents;
    }

    private static int ended(Process process) throws InterruptedException {
        assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static void send(String signal, ProcessHandle process) {
        assertThat(Command.of("bash", "-c", "kill -" + signal + " " + process.pid())
                        .run()
                        .exitStatus())
                .isZero();
    }

    private static boolean defaultSignals() {
        return Command.of("/usr/bin/env", "--default-signal=INT", "true").run().exitStatus() == 0;
    }

    @ParameterizedTest(name = "{0}, flock: {2}")
    @CsvSource({"HUP, 129, true", "INT, 130, true", "TERM, 143, true", "INT, 130, false"})
    void signalStopsBothServersAndReleasesTheLock(String signal, int status, boolean flock) throws Exception {
        assumeTrue(defaultSignals(), "env knows no --default-signal");
        Process first = running(flock);
        List<ProcessHandle> servers = List.of(checkout.server("decider"), checkout.server("apiserver-lite"));

        send(signal, first.toHandle());

        assertThat(ended(first)).isEqualTo(status);
        assertThat(servers).noneMatch(ProcessHandle::isAlive);
        assertThat(once(flock).exitStatus()).isZero();
    }

    @ParameterizedTest(name = "flock: {0}")
    @ValueSource(booleans = {true, false})
    void secondQuickstartIsRefused(boolean flock) throws Exception {
        assumeTrue(defaultSignals(), "env knows no --default-signal");
        Process first = running(flock);
        Map<String, String> before = files();

        CompletedProcess second = once(flock);

        assertThat(second)
                .isEqualTo(new CompletedProcess(
                        1,
                        "",
                        "quickstart: already running (process " + first.pid()
                                + ", or a server that it left behind): target/quickstart is in use\n"));
        assertThat(files()).isEqualTo(before);
        assertThat(started).allMatch(ProcessHandle::isAlive);
    }

    @Test
    void orphanedServersKeepTheirFiles() throws Exception {
        assumeTrue(defaultSignals(), "env knows no --default-signal");
        Process first = running(true);
        send("KILL", first.toHandle());
        ended(first);
        ProcessHandle decider = checkout.server("decider");
        ProcessHandle server = checkout.server("apiserver-lite");

        assertThat(once(true).err()).contains("already running").hasLineCount(1);

        decider.destroy();
        server.destroy();
        await().atMost(SOON).until(() -> !decider.isAlive() && !server.isAlive());
        assertThat(once(true).exitStatus()).isZero();
    }

    @Test
    void staleLockIsIgnored() throws Exception {
        Process exited = new ProcessBuilder("true").start();
        ended(exited);
        Path lock = Files.createDirectories(checkout.root().resolve("target/quickstart/lock.d"));
        Files.writeString(lock.resolve("pid"), exited.pid() + "\n");

        assertThat(once(false).exitStatus()).isZero();

        assertThat(lock).doesNotExist();
    }
}
