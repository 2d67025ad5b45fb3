package io.plat.tls.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

@Order(1)
@Execution(ExecutionMode.CONCURRENT)
final class FileWatchTest {
    /** Events and polling are tested separately: either could hide a defect of the other. */
    private enum Way {
        NOTIFIED,
        POLLED;

        FileWatch.Settings settings() {
            Duration debounce = Duration.ofMillis(20);
            return switch (this) {
                case NOTIFIED -> new FileWatch.Settings(debounce, Duration.ofDays(1), true);
                case POLLED -> new FileWatch.Settings(debounce, Duration.ofMillis(50), false);
            };
        }
    }

    private final Path directory;

    FileWatchTest(@TempDir Path directory) throws IOException {
        // File names are compared with those passed to the watch; the temporary directory may be a link.
        this.directory = directory.toRealPath();
        put("a", "one");
        put("b", "one");
        Files.createDirectories(this.directory.resolve("d/sub"));
        put("d/x.yaml", "one");
        put("d/sub/y", "one");
        put("..1", "one");
        put("..2", "two");
        Files.createSymbolicLink(this.directory.resolve("link"), Path.of("..1"));
    }

    /** Changes files of a directory. */
    @FunctionalInterface
    private interface Change {
        void make(FileWatchTest test) throws IOException;
    }

    /** Watched files, a change, and the reported files. */
    private record Case(String name, List<String> watched, Change change, Set<String> reported, List<Way> ways) {
        Case(String name, List<String> watched, Change change, Set<String> reported) {
            this(name, watched, change, reported, List.of(Way.values()));
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("rewritten", List.of("a", "b"), t -> t.put("a", "two"), Set.of("a")),
            new Case(
                    "appended to",
                    List.of("a"),
                    t -> Files.writeString(t.at("a"), "+", StandardOpenOption.APPEND),
                    Set.of("a")),
            new Case("replaced by a rename", List.of("a"), t -> t.replace("a", "two"), Set.of("a")),
            new Case("gone", List.of("a", "b"), t -> Files.delete(t.at("b")), Set.of("b")),
            new Case("come", List.of("new"), t -> t.put("new", "one"), Set.of("new")),
            new Case(
                    "created with its directory",
                    List.of("new/file"),
                    t -> {
                        Files.createDirectory(t.at("new"));
                        t.put("new/file", "one");
                    },
                    Set.of("new/file"),
                    List.of(Way.POLLED)),
            new Case(
                    "of the same size and time",
                    List.of("a"),
                    t -> {
                        FileTime time = Files.getLastModifiedTime(t.at("a"));
                        t.put("a", "two");
                        Files.setLastModifiedTime(t.at("a"), time);
                    },
                    Set.of("a")),
            new Case("a link to another file", List.of("link"), t -> t.link("link", "..2"), Set.of("link")),
            new Case("the file behind a link", List.of("link"), t -> t.put("..1", "three"), Set.of("link")),
            new Case("a file of a directory", List.of("d"), t -> t.put("d/x.yaml", "two"), Set.of("d/x.yaml")),
            new Case("a new file in a directory", List.of("d"), t -> t.put("d/z.yaml", "one"), Set.of("d/z.yaml")),
            new Case(
                    "a file deleted from a directory",
                    List.of("d"),
                    t -> Files.delete(t.at("d/x.yaml")),
                    Set.of("d/x.yaml")),
            new Case(
                    "a directory that becomes a file",
                    List.of("d"),
                    t -> {
                        Files.move(t.at("d"), t.at("moved"));
                        t.put("d", "one");
                    },
                    Set.of("d", "d/x.yaml")),
            new Case(
                    "a directory in place of another",
                    List.of("d"),
                    t -> {
                        Files.move(t.at("d"), t.at("moved"));
                        Files.createDirectory(t.at("d"));
                        t.put("d/x.yaml", "two");
                    },
                    Set.of("d/x.yaml")),
            new Case(
                    "a link of a parent directory",
                    List.of("up/x"),
                    t -> {
                        Files.createDirectory(t.at("e"));
                        t.put("e/x", "two");
                        t.link("up", "e");
                    },
                    Set.of("up/x"),
                    List.of(Way.POLLED)));

    private record Scenario(Case change, Way way) {
        @Override
        public String toString() {
            return change.name + ", " + way;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Scenario> SCENARIOS = CASES.stream()
            .flatMap(c -> c.ways.stream().map(w -> new Scenario(c, w)))
            .toList();

    @ParameterizedTest
    @FieldSource("SCENARIOS")
    void reportsChangedContent(Scenario scenario) throws IOException {
        if (scenario.change.watched.contains("up/x")) {
            link("up", "d");
        }
        Calls calls = new Calls();
        try (FileWatch watch = watch(scenario.way, scenario.change.watched, calls)) {
            watch.start();

            scenario.change.change.make(this);

            // More may be reported, if the watch polls between two steps of a change. The absence of other reports is
            // tested by the next
            // test's.
            await().untilAsserted(() -> assertThat(calls.files()).containsAll(paths(scenario.change.reported)));
        }
    }

    /** Changes without effect on content. */
    private record Harmless(String name, Change change) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Harmless> HARMLESS = List.of(
            new Harmless("another time", t -> Files.setLastModifiedTime(t.at("a"), FileTime.fromMillis(0))),
            new Harmless(
                    "another mode",
                    t -> Files.setPosixFilePermissions(t.at("a"), PosixFilePermissions.fromString("rw-------"))),
            new Harmless("the same content again", t -> Files.writeString(t.at("a"), "one", StandardOpenOption.WRITE)),
            new Harmless("the same content in another file", t -> t.replace("a", "one")),
            new Harmless("another file in its directory", t -> t.put("neighbour", "one")),
            new Harmless("a file in a directory of the directory", t -> t.put("d/sub/y", "two")),
            new Harmless("a subdirectory of the directory", t -> Files.createDirectory(t.at("d/sub2"))));

    @ParameterizedTest
    @FieldSource("HARMLESS")
    void unchangedContentIsNotReported(Harmless harmless) throws IOException {
        for (Way way : Way.values()) {
            Calls calls = new Calls();
            try (FileWatch watch = watch(way, List.of("a", "d", "b"), calls)) {
                watch.start();
                harmless.change.make(this);
                // A later change is reported, so this one was examined as well.
                put("b", "after " + way);

                await().untilAsserted(() -> assertThat(calls.files()).isNotEmpty());
                assertThat(calls.files()).containsExactly(at("b"));
            }
            Files.deleteIfExists(at("d/sub2"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void changesBetweenCreationAndStartAreReported(Way way) throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = watch(way, List.of("a"), calls)) {
            put("a", "two");
            watch.start();

            await().untilAsserted(() -> assertThat(calls.files()).containsExactly(at("a")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyChangeIsEventuallyReported(Way way) throws IOException {
        AtomicReference<String> read = new AtomicReference<>("");
        try (FileWatch watch = new FileWatch(
                "test",
                List.of(at("a")),
                way.settings(),
                paths -> read.set(Files.exists(at("a")) ? get("a") : "gone"))) {
            watch.start();
            for (int i = 0; i < 200; i++) {
                put("a", "content " + i);
            }

            await().untilAsserted(() -> assertThat(read).hasValue("content 199"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChangeIsReportedAgainAfterAFailedCallback(Way way) throws IOException {
        Calls calls = new Calls();
        List<Throwable> thrown =
                new CopyOnWriteArrayList<>(List.of(new IllegalStateException("once"), new StackOverflowError("twice")));
        FileWatch.ChangeListener failing = paths -> {
            calls.changed(paths);
            if (!thrown.isEmpty()) {
                switch (thrown.removeFirst()) {
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    default -> throw new AssertionError();
                }
            }
        };
        try (FileWatch watch = new FileWatch("test", List.of(at("a")), way.settings(), failing)) {
            watch.start();
            // In one step, as a file that is written in place may be empty for a moment, which is a change, too.
            replace("a", "changed");
            await().untilAsserted(() -> assertThat(thrown).isEmpty());
            await().untilAsserted(() -> assertThat(calls.count()).isEqualTo(3));
            assertThat(calls.threads()).hasSize(1).first().asString().isEqualTo("watch-test");
        }
    }

    @Test
    void filesThatChangeTogetherAreReportedTogether() throws IOException {
        Calls calls = new Calls();
        FileWatch.Settings patient = new FileWatch.Settings(Duration.ofSeconds(1), Duration.ofDays(1), true);
        try (FileWatch watch = new FileWatch("test", List.of(at("a"), at("b")), patient, calls)) {
            watch.start();
            put("a", "two");
            put("b", "two");

            await().untilAsserted(() -> assertThat(calls.count()).isPositive());
            assertThat(calls.first()).isEqualTo(paths(Set.of("a", "b")));
        }
    }

    private static final FileWatch.Settings ONLY_WHOLE = new FileWatch.Settings(
            Duration.ofMinutes(1), Duration.ofDays(1), true, Duration.ofMillis(3), Duration.ZERO);

    /** No file that is written in place is reported during a test, whether by events or by polling. */
    private static FileWatch.Settings quiet(Way way) {
        FileWatch.Settings settings = way.settings();
        return new FileWatch.Settings(
                settings.debounce(),
                settings.interval(),
                settings.notified(),
                Duration.ofMillis(3),
                Duration.ofHours(1));
    }

    @ParameterizedTest
    @EnumSource
    void aFileWrittenInPlaceIsReportedOnceItIsQuiet(Way way) throws IOException {
        Calls calls = new Calls();
        FileWatch.Settings settings = way.settings();
        Duration quiet = Duration.ofMillis(700);
        FileWatch.Settings settled = new FileWatch.Settings(
                settings.debounce(), settings.interval(), settings.notified(), Duration.ofMillis(3), quiet);
        try (FileWatch watch = new FileWatch("test", List.of(at("a")), settled, calls)) {
            watch.start();
            long begin = System.nanoTime();
            put("a", "half of it");
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(quiet);
        }
    }

    @Test
    void changesWaitForOtherFilesThatAreBeingWritten() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("d")), quiet(Way.NOTIFIED), calls)) {
            watch.start();
            put("d/x.yaml", "half of it");
            put("d/new.yaml", "half of it");
            Files.move(
                    Files.writeString(at("d/fresh.yaml"), "two"), at("d/whole.yaml"), StandardCopyOption.ATOMIC_MOVE);
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> calls.count() == 0);
            put("d/x.yaml", "one");
            Files.delete(at("d/new.yaml"));
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
            assertThat(calls.first()).isEqualTo(paths(Set.of("d/whole.yaml")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSwappedLinkIsReportedAtOnce(Way way) throws IOException {
        Files.createDirectories(at("k/..1"));
        put("k/..1/x.yaml", "one");
        link("k/..data", "..1");
        link("k/x.yaml", "..data/x.yaml");
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("k")), quiet(way), calls)) {
            watch.start();
            Files.createDirectories(at("k/..2"));
            put("k/..2/x.yaml", "two");
            put("k/..2/y.yaml", "new");
            link("k/..data", "..2");
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() >= 1);
            link("k/y.yaml", "..data/y.yaml");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> calls.files().equals(paths(Set.of("k/x.yaml", "k/y.yaml"))));
        }
    }

    @Test
    void changesDuringTheCallbackAreReportedAgain() throws IOException {
        AtomicReference<@Nullable FileWatch> self = new AtomicReference<>();
        List<Boolean> confirmed = new CopyOnWriteArrayList<>();
        FileWatch.Settings settings = Way.NOTIFIED.settings();
        try (FileWatch watch = new FileWatch("test", List.of(at("a"), at("b")), settings, paths -> {
            if (confirmed.isEmpty()) {
                try {
                    put("b", "written while a is read");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            confirmed.add(Objects.requireNonNull(self.get()).confirm());
        })) {
            self.set(watch);
            watch.start();
            replace("a", "two");
            await().atMost(Duration.ofSeconds(20)).until(() -> confirmed.contains(true));
            assertThat(confirmed.getFirst()).isFalse();
        }
    }

    @Test
    void allFilesAreReportedAfterARecheck() throws IOException {
        Calls calls = new Calls();
        FileWatch.Settings never = new FileWatch.Settings(Duration.ZERO, Duration.ofDays(1), false);
        try (FileWatch watch = new FileWatch("test", List.of(at("a"), at("b")), never, calls)) {
            watch.recheck();
            watch.start();
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.files().equals(paths(Set.of("a", "b"))));
        }
    }

    @Test
    void aDirectoryThatReplacedAnotherIsFollowed() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("d")), Way.NOTIFIED.settings(), calls)) {
            watch.start();
            Files.createDirectory(at("fresh"));
            put("fresh/x.yaml", "two");
            Files.move(at("d"), at("moved"));
            Files.move(at("fresh"), at("d"));
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() > 0);
            // Changes may be reported in two parts.
            for (String content : List.of("three", "four", "five")) {
                int before = calls.count();
                replace("d/x.yaml", content);
                await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() > before);
            }
        }
    }

    @Test
    void aRenamedFileIsReportedAtOnce() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("a"), at("d")), ONLY_WHOLE, calls)) {
            watch.start();
            replace("a", "two");
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
            Files.move(Files.writeString(at("d/fresh.yaml"), "two"), at("d/x.yaml"), StandardCopyOption.ATOMIC_MOVE);
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 2);
        }
    }

    /** Only by its timestamps, as its source directory is not watched. */
    @Test
    void aMovedFileIsReportedAtOnceIfItWasWrittenBefore() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("d")), ONLY_WHOLE, calls)) {
            watch.start();
            Path elsewhere = Files.writeString(at("a"), "two");
            Files.setLastModifiedTime(elsewhere, hoursAgo());
            Files.move(elsewhere, at("d/x.yaml"), StandardCopyOption.ATOMIC_MOVE);
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
            Files.move(at("b"), at("d/x.yaml"), StandardCopyOption.ATOMIC_MOVE);
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> calls.count() == 1);
        }
    }

    private static FileTime hoursAgo() {
        return FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    }

    @Test
    void aFileWrittenInPlaceHasToBeQuiet() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("a")), ONLY_WHOLE, calls)) {
            watch.start();
            put("a", "half of it");
            replace("b", "two");
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> calls.count() == 0);
        }
    }

    @Test
    void aGrowingUnwatchedFileDelaysNothing() throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("a")), ONLY_WHOLE, calls)) {
            watch.start();
            put("b", "a line of a log");
            replace("a", "two");
            Files.writeString(at("b"), "and another", StandardOpenOption.APPEND);
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
        }
    }

    /** Only manifests are read in a directory: a log or lock file in it does not delay a revocation. */
    @ParameterizedTest
    @ValueSource(strings = {"d/audit.log", "d/.x.yaml.swp", "d/.x.yaml"})
    void aFileOfAnotherKindInADirectoryDelaysNothing(String other) throws IOException {
        Calls calls = new Calls();
        try (FileWatch watch = new FileWatch("test", List.of(at("d")), ONLY_WHOLE, calls)) {
            watch.start();
            put(other, "a line");
            Files.move(Files.writeString(at("d/.fresh"), "two"), at("d/x.yaml"), StandardCopyOption.ATOMIC_MOVE);
            Files.writeString(at(other), "and another", StandardOpenOption.APPEND);
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() == 1);
            assertThat(calls.first()).isEqualTo(paths(Set.of("d/x.yaml")));
        }
    }

    /** A file that is written continually delays a revocation, which must be reported. */
    @Test
    void longHeldBackChangesAreReported() throws IOException {
        Calls calls = new Calls();
        Duration quiet = Duration.ofMillis(400);
        FileWatch.Settings settings =
                new FileWatch.Settings(Duration.ofMillis(3), Duration.ofMillis(20), true, Duration.ofMillis(3), quiet);
        try (FileWatch watch = new FileWatch("test", List.of(at("d")), settings, calls)) {
            watch.start();
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        Files.writeString(at("d/x.yaml"), "more", StandardOpenOption.APPEND);
                        return watch.isHeldBack();
                    });
            await().atMost(Duration.ofSeconds(20)).until(() -> calls.count() > 0 && !watch.isHeldBack());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedWatchReportsNothing(Way way) throws IOException {
        Calls closedCalls = new Calls();
        Calls openCalls = new Calls();
        FileWatch closed = watch(way, List.of("a"), closedCalls);
        try (FileWatch open = watch(way, List.of("a"), openCalls)) {
            closed.start();
            open.start();
            closed.close();

            put("a", "two");

            await().untilAsserted(() -> assertThat(openCalls.count()).isPositive());
            assertThat(closedCalls.count()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallbackMayCloseItsWatch(Way way) throws Exception {
        AtomicReference<@Nullable FileWatch> self = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        try (FileWatch watch = new FileWatch("test", List.of(at("a")), way.settings(), paths -> {
            Objects.requireNonNull(self.get()).close();
            closed.countDown();
        })) {
            self.set(watch);
            watch.start();

            put("a", "two");

            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aWatchThatNeverStartedCloses() throws IOException {
        Calls calls = new Calls();
        FileWatch watch = watch(Way.NOTIFIED, List.of("a"), calls);
        watch.close();
        watch.start();
        put("a", "two");
        watch.close();

        assertThat(calls.count()).isZero();
    }

    @Test
    void settingsAreValidated() {
        Duration negative = Duration.ofMillis(-1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileWatch.Settings(negative, Duration.ofSeconds(1), true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileWatch.Settings(Duration.ZERO, Duration.ZERO, true));
    }

    private static final class Calls implements FileWatch.ChangeListener {
        private final List<Set<Path>> calls = new CopyOnWriteArrayList<>();
        private final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Override
        public void changed(Set<Path> paths) {
            threads.add(Thread.currentThread().getName());
            calls.add(paths);
        }

        int count() {
            return calls.size();
        }

        Set<Path> first() {
            return calls.getFirst();
        }

        Set<String> threads() {
            return threads;
        }

        Set<Path> files() {
            return new HashSet<>(calls.stream().flatMap(Set::stream).toList());
        }
    }

    private FileWatch watch(Way way, List<String> names, FileWatch.ChangeListener listener) {
        List<Path> watched = new ArrayList<>();
        names.forEach(n -> watched.add(at(n)));
        return new FileWatch("test", watched, way.settings(), listener);
    }

    private Path at(String name) {
        return directory.resolve(name);
    }

    private Set<Path> paths(Set<String> names) {
        return Set.copyOf(names.stream().map(this::at).toList());
    }

    private void put(String name, String content) throws IOException {
        Files.writeString(at(name), content);
    }

    private String get(String name) {
        try (Stream<String> lines = Files.lines(at(name))) {
            return String.join("\n", lines.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replace(String name, String content) throws IOException {
        Path fresh = Files.writeString(directory.resolve("fresh"), content);
        Files.move(fresh, at(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private void link(String name, String target) throws IOException {
        Path fresh = Files.createSymbolicLink(directory.resolve("fresh"), Path.of(target));
        Files.move(fresh, at(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
