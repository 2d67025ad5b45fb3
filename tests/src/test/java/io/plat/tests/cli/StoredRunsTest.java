package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.ReusedPlat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of plat, with a decider, an API server and offline: its exit status, and its output compared with the stored one
 * ({@code resources/plat}). In a full run each is a process. {@code -Dplat.stored.update=true} stores the output.
 */
@Order(1)
class StoredRunsTest {
    private static final boolean UPDATE = Boolean.getBoolean("plat.stored.update");
    private static final boolean ALL = UPDATE || Boolean.getBoolean("plat.full");
    private static final int CONCURRENCY = 3;
    private static final Path DIRECTORY = Checkout.path("tests/src/test/resources/plat");
    private static final Path FILES = DIRECTORY.resolve("files");
    private static final Path STORED = DIRECTORY.resolve("stored");

    /** Exit codes that a command never has: it has no result that could be "no", or sends no request that could fail. */
    private static final Map<String, Set<Integer>> NEVER = Map.of(
            "matrix", Set.of(1),
            "whoami", Set.of(1),
            "pki", Set.of(1),
            "completion", Set.of(1, 3),
            "man", Set.of(1),
            "plat", Set.of(1, 3));

    @TempDir
    private static Path home = Path.of("");

    private static final Set<String> written = new HashSet<>();
    private static List<StoredRun> table = List.of();
    private static StoredRunServers servers;
    private static StoredText text;
    private static @Nullable ReusedPlat plat;
    private static ExecutorService runner;

    @BeforeAll
    static void start() throws IOException {
        table = StoredRun.read(DIRECTORY.resolve("runs.table"));
        servers = StoredRunServers.start(FILES.resolve("policy"));
        text = new StoredText()
                .with(FILES + "/", "")
                .with(servers.pki().directory().toString(), "<pki>");
        for (String requested : List.of("decider", "server", "careless")) {
            text.with(servers.at(requested).toString(), "<" + requested + ">")
                    .with(servers.at(requested).getAuthority(), "<" + requested + ">");
        }
        text.with(home.toString(), "<home>");
        plat = ALL ? null : ReusedPlat.start(FILES);
        runner = Executors.newFixedThreadPool(CONCURRENCY);
    }

    @AfterAll
    static void stop() {
        runner.close();
        if (plat != null) {
            plat.close();
        }
        servers.close();
    }

    @TestFactory
    Stream<DynamicTest> outputMatchesTheStoredOutput() {
        List<Map.Entry<StoredRun, Future<CompletedProcess>>> runs = new ArrayList<>();
        table.stream()
                .filter(run -> ALL || !run.full())
                .forEach(run -> runs.add(Map.entry(run, runner.submit(() -> run(run)))));
        return runs.stream()
                .map(run -> DynamicTest.dynamicTest(run.getKey().title(), () -> compare(run.getKey(), run.getValue())));
    }

    private static CompletedProcess run(StoredRun run) {
        return Command.of("bash", "-o", "pipefail", "-c", run.command())
                .in(FILES)
                .withEnvironment(
                        "PATH", (plat == null ? Checkout.path("cli/bin") : plat.bin()) + ":" + System.getenv("PATH"))
                .withEnvironment("HOME", home.toString())
                .withEnvironment("KUBECONFIG", "")
                .withEnvironment(
                        "PLATCONFIG",
                        run.user().isEmpty()
                                ? ""
                                : servers.clientFile(run.server(), run.user()).toString())
                .withEnvironment("PKI", servers.pki().directory().toString())
                .withEnvironment("SCRATCH", home.resolve("pki").toString())
                .withEnvironment("DECIDER", servers.at("decider").toString())
                .withEnvironment("CARELESS", servers.at("careless").toString())
                .run();
    }

    private static void compare(StoredRun run, Future<CompletedProcess> result)
            throws IOException, InterruptedException {
        CompletedProcess printed;
        try {
            printed = result.get();
        } catch (ExecutionException e) {
            throw new AssertionError(run.title(), e.getCause());
        }
        CompletedProcess seen =
                new CompletedProcess(printed.exitStatus(), text.of(printed.out()), text.of(printed.err()));
        if (UPDATE && written.add(run.name())) {
            store(run.name() + ".out", seen.out());
            store(run.name() + ".err", seen.err());
        }
        assertThat(seen)
                .as("where this is right, -Dplat.stored.update=true stores it")
                .isEqualTo(
                        new CompletedProcess(run.status(), stored(run.name() + ".out"), stored(run.name() + ".err")));
        assertThat(seen.err()).doesNotContain("\tat ", "Exception");
    }

    private static String stored(String name) throws IOException {
        Path file = STORED.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static void store(String name, String text) throws IOException {
        Files.createDirectories(STORED);
        if (text.isEmpty()) {
            Files.deleteIfExists(STORED.resolve(name));
        } else {
            Files.writeString(STORED.resolve(name), text);
        }
    }

    @Test
    void everyExitStatusOfEveryCommandIsCovered() {
        Map<String, Set<Integer>> seen = new TreeMap<>();
        table.forEach(
                run -> seen.computeIfAbsent(run.about(), one -> new TreeSet<>()).add(run.status()));
        Map<String, Set<Integer>> expected = new TreeMap<>();
        for (String command : commands()) {
            Set<Integer> statuses = new TreeSet<>(List.of(0, 1, 2, 3));
            statuses.removeAll(NEVER.getOrDefault(command, Set.of()));
            expected.put(command, statuses);
        }
        assertThat(seen).isEqualTo(expected);
    }

    /** The commands in the program's help, and the program itself. */
    private static List<String> commands() {
        List<String> commands = new ArrayList<>(List.of("plat"));
        String help = Command.of(Checkout.path("cli/bin/plat").toString(), "--help")
                .run()
                .out();
        help.substring(help.indexOf("\nAsk:\n"))
                .lines()
                .filter(line -> line.matches(" {2}[a-z].*"))
                .forEach(line -> commands.add(line.strip().split(" ", 2)[0]));
        return commands;
    }

    @Test
    void noStoredOutputIsObsolete() throws IOException {
        Set<String> names = new TreeSet<>();
        table.forEach(run -> names.add(run.name()));
        try (Stream<Path> files = Files.list(STORED)) {
            assertThat(files.map(file -> file.getFileName().toString().replaceFirst("\\.(out|err)$", "")))
                    .isSubsetOf(names);
        }
    }
}
