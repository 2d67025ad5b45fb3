package io.plat.apiserver.podlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.podlog.LogOptions.Stream;
import io.plat.apiserver.podlog.PodLogDirectory.Container;
import io.plat.apiserver.podlog.PodLogDirectory.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of containers, read from files as a runtime writes them. */
final class PodLogTest {
    private static final Container CONTAINER = new Container("ns", "pod", "uid", "app");

    @TempDir
    private Path root = Path.of("");

    private Path files = Path.of("");

    @BeforeEach
    void makeDirectory() throws IOException {
        files = Files.createDirectories(root.resolve("ns_pod_uid").resolve("app"));
    }

    /** A line of a second in 2024; {@code o} and {@code e} are the streams, {@code F} and {@code P} the tags. */
    private static String line(int second, String stream, String tag, String text) {
        return "2024-01-01T00:00:%02d.123456789Z %s %s %s\n"
                .formatted(second, stream.equals("o") ? "stdout" : "stderr", tag, text);
    }

    private Path write(String name, String content) {
        try {
            return Files.writeString(files.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path compress(String name, String content) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(files.resolve(name)))) {
            out.write(content.getBytes(UTF_8));
        }
        return files.resolve(name);
    }

    private String read(LogOptions options) throws IOException {
        PodLogDirectory directory = PodLogDirectory.open(root);
        Run run = directory.runs(CONTAINER).getFirst();
        var out = new ByteArrayOutputStream();
        new PodLog(directory, CONTAINER, run, options, () -> false).writeTo(out);
        return out.toString(UTF_8);
    }

    private static LogOptions tail(long lines) {
        return new LogOptions(false, lines, null, false, Long.MAX_VALUE, Stream.ALL);
    }

    @Test
    void partialLinesAreJoined() throws IOException {
        write(
                "0.log",
                line(1, "o", "F", "one")
                        + line(2, "o", "P", "tw")
                        + line(3, "o", "P", "")
                        + line(4, "o", "F", "o")
                        + line(5, "e", "F:x", "  three ")
                        + line(6, "o", "F", ""));
        assertThat(read(LogOptions.ALL)).isEqualTo("one\ntwo\n  three \n\n");
    }

    /** Interleaved streams are kept separate. */
    @Test
    void partialLinesOfTwoStreamsDoNotMix() throws IOException {
        write("0.log", line(1, "o", "P", "out") + line(2, "e", "F", "err") + line(3, "o", "F", "rest"));
        assertThat(read(LogOptions.ALL)).isEqualTo("out\nerr\nrest\n");
    }

    @Test
    void malformedLinesAreSkipped() throws IOException {
        write(
                "0.log",
                "\n \n  \nnonsense\n" + "x".repeat(100_000) + "\n2024-01-01T00:00:00Z stdin F no\n"
                        + "2024-13-01T00:00:00Z stdout F no\n2024-01-01T00:00:00Z stdout X no\n"
                        + "2024-01-01T00:00:00Z stdout F\n2024-01-01T00:00:00.5+02:00 stdout F yes\n"
                        + "2024-01-01T00:00:00Z stdout F cut off");
        assertThat(read(LogOptions.ALL)).isEqualTo("\nyes\ncut off");
    }

    @Test
    void rotatedFilesComeFirst() throws IOException {
        compress("0.log.20240101-000001.gz", line(1, "o", "F", "a") + line(2, "o", "F", "b"));
        compress("0.log.20240101-000002.gz", "half of it");
        write("0.log.20240101-000002", line(3, "o", "F", "c"));
        write("0.log.20240101-000003.tmp", line(3, "o", "F", "not yet"));
        write("0.log", line(4, "o", "F", "d"));
        assertThat(read(LogOptions.ALL)).isEqualTo("a\nb\nc\nd\n");
        assertThat(read(tail(3))).isEqualTo("b\nc\nd\n");
        assertThat(read(tail(2))).isEqualTo("c\nd\n");
        assertThat(read(tail(9))).isEqualTo("a\nb\nc\nd\n");
        assertThat(read(tail(0))).isEmpty();
    }

    @Test
    void tailCountsWholeLines() throws IOException {
        write(
                "0.log",
                line(1, "o", "F", "a") + line(2, "o", "P", "b1") + line(3, "o", "F", "b2") + line(4, "o", "P", "c"));
        assertThat(read(tail(2))).isEqualTo("b1b2\nc");
        assertThat(read(tail(1))).isEqualTo("c");
    }

    @ParameterizedTest
    @CsvSource({"ALL, a b c d", "STDOUT, a c", "STDERR, b d"})
    void streamIsSelectable(Stream stream, String expected) throws IOException {
        write(
                "0.log",
                line(1, "o", "F", "a") + line(2, "e", "F", "b") + line(3, "o", "F", "c") + line(4, "e", "F", "d"));
        assertThat(read(new LogOptions(false, -1, null, false, Long.MAX_VALUE, stream)))
                .isEqualTo(expected.replace(' ', '\n') + "\n");
    }

    @Test
    void timestampsAreShownAndFiltered() throws IOException {
        write("0.log", line(1, "o", "F", "a") + line(2, "o", "P", "b") + line(3, "o", "F", "c"));
        Instant since = Instant.parse("2024-01-01T00:00:02Z");
        assertThat(read(new LogOptions(false, -1, since, true, Long.MAX_VALUE, Stream.ALL)))
                .isEqualTo("2024-01-01T00:00:02.123456789Z bc\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 100})
    void limitsBoundTheOutput(int limit) throws IOException {
        write("0.log", line(1, "o", "F", "one") + line(2, "o", "F", "two"));
        assertThat(read(new LogOptions(false, -1, null, false, limit, Stream.ALL)))
                .isEqualTo("one\ntwo\n".substring(0, Math.min(limit, 8)));
    }

    /** Longer than any buffer. */
    @Test
    void longLineIsRead() throws IOException {
        String text = "0123456789".repeat(200_000);
        write("0.log", line(1, "o", "F", text) + line(2, "o", "F", "end"));
        assertThat(read(LogOptions.ALL)).isEqualTo(text + "\nend\n");
    }

    @Test
    void containerInstancesAreSeparate() throws IOException {
        write("2.log", "");
        write("10.log", "");
        write("10.log.20240101-000000", "");
        write("x.log", "");
        write("99999999999.log", "");
        assertThat(PodLogDirectory.open(root).runs(CONTAINER))
                .extracting(Run::number)
                .containsExactly(10, 2);
        assertThat(PodLogDirectory.open(root).runs(new Container("ns", "pod", "uid", "none")))
                .isEmpty();
    }

    /** A link is followed within the pod's directory only. */
    @Test
    void nothingOutsideThePodsDirectoryIsRead(@TempDir Path elsewhere) throws IOException {
        Path secret = Files.writeString(elsewhere.resolve("secret"), line(1, "o", "F", "secret"));
        Path inside = Files.writeString(root.resolve("ns_pod_uid").resolve("data"), line(1, "o", "F", "inside"));
        Path other = Files.createDirectories(root.resolve("ns_other_uid").resolve("app"));
        Files.writeString(other.resolve("0.log"), line(1, "o", "F", "secret"));
        Files.createSymbolicLink(files.resolve("6.log"), other.resolve("0.log"));
        Files.createSymbolicLink(files.resolve("7.log"), Path.of("../../ns_other_uid/app/0.log"));
        Files.createSymbolicLink(files.resolve("8.log"), Files.writeString(root.resolve("data"), "secret"));
        Files.createSymbolicLink(root.resolve("ns_pod_uid").resolve("beside"), other);
        Files.createSymbolicLink(root.resolve("ns_link_uid"), root.resolve("ns_other_uid"));
        assertThat(PodLogDirectory.open(root).runs(new Container("ns", "pod", "uid", "beside")))
                .isEmpty();
        assertThat(PodLogDirectory.open(root).runs(new Container("ns", "link", "uid", "app")))
                .isEmpty();
        Files.createSymbolicLink(files.resolve("3.log"), secret);
        Files.createDirectory(files.resolve("4.log"));
        Files.createSymbolicLink(files.resolve("5.log"), Path.of("/proc/self/environ"));
        Files.createSymbolicLink(files.resolve("2.log"), inside);
        assertThat(read(LogOptions.ALL)).isEqualTo("inside\n");
        assertThat(PodLogDirectory.open(root).runs(CONTAINER))
                .extracting(Run::number)
                .containsExactly(2);
        Files.createSymbolicLink(root.resolve("ns_pod_uid").resolve("out"), elsewhere);
        Files.writeString(elsewhere.resolve("0.log"), line(1, "o", "F", "secret"));
        assertThat(PodLogDirectory.open(root).runs(new Container("ns", "pod", "uid", "out")))
                .isEmpty();
        for (String name : new String[] {"..", "../..", "../ns_pod_uid/app", "", ".", "/"}) {
            assertThat(PodLogDirectory.open(root).runs(new Container("ns", "pod", "uid", name)))
                    .isEmpty();
        }
    }

    /** A writer of the directory replaces a file, or one of its parent directories, by a link during reading. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fileReplacedByALinkIsNotRead(boolean wholeDirectory) throws IOException {
        Path other = Files.createDirectories(root.resolve("ns_other_uid").resolve("app"));
        Files.writeString(other.resolve("0.log"), line(1, "o", "F", "secret"));
        write("0.log", line(1, "o", "F", "own"));
        PodLogDirectory directory = PodLogDirectory.open(root);
        Path found = directory.runs(CONTAINER).getFirst().last();
        if (wholeDirectory) {
            Files.move(files, root.resolve("ns_pod_uid").resolve("gone"));
            Files.createSymbolicLink(files, other);
        } else {
            Files.delete(found);
            Files.createSymbolicLink(found, other.resolve("0.log"));
        }
        assertThatThrownBy(() -> directory.read(found)).isInstanceOf(NoSuchFileException.class);
    }

    private static final class Followed extends ByteArrayOutputStream {
        private final AtomicBoolean flushed = new AtomicBoolean();

        @Override
        public void flush() {
            flushed.set(true);
        }
    }

    private void append(String name, String text) throws IOException {
        Files.writeString(files.resolve(name), text, StandardOpenOption.APPEND);
    }

    private static void awaitText(Followed out, String text) {
        await().untilAsserted(() -> {
            synchronized (out) {
                assertThat(out.toString(UTF_8)).isEqualTo(text);
            }
        });
    }

    private Thread follow(Followed out, AtomicBoolean isActive, long tail) throws IOException {
        PodLogDirectory directory = PodLogDirectory.open(root);
        Run run = directory.runs(CONTAINER).getFirst();
        var log = new PodLog(
                directory,
                CONTAINER,
                run,
                new LogOptions(true, tail, null, false, Long.MAX_VALUE, Stream.ALL),
                isActive::get);
        return Thread.ofVirtual().start(() -> {
            try {
                log.writeTo(out);
            } catch (IOException e) {
                // As if the client had disconnected.
            }
        });
    }

    @Test
    void followSurvivesARotation() throws Exception {
        write("0.log", line(1, "o", "F", "a") + line(1, "o", "F", "b"));
        var out = new Followed();
        var isActive = new AtomicBoolean(true);
        Thread reader = follow(out, isActive, 1);
        awaitText(out, "b\n");
        append("0.log", line(2, "o", "P", "c"));
        append("0.log", line(2, "o", "F", "d"));
        awaitText(out, "b\ncd\n");
        Files.move(files.resolve("0.log"), files.resolve("0.log.20240101-000000"));
        append("0.log.20240101-000000", line(3, "o", "F", "e"));
        awaitText(out, "b\ncd\ne\n");
        write("0.log", line(4, "o", "F", "f"));
        awaitText(out, "b\ncd\ne\nf\n");
        isActive.set(false);
        reader.join();
        assertThat(out.flushed.get()).isTrue();
    }

    @Test
    void followEndsWhenTheContainerRestarts() throws Exception {
        write("0.log", line(1, "o", "F", "a"));
        var out = new Followed();
        Thread reader = follow(out, new AtomicBoolean(true), -1);
        awaitText(out, "a\n");
        write("1.log", line(2, "o", "F", "b"));
        reader.join();
        assertThat(out.toString(UTF_8)).isEqualTo("a\n");
    }

    @Test
    void interruptedReaderStops() throws Exception {
        write("0.log", line(1, "o", "F", "a"));
        var out = new Followed();
        Thread reader = follow(out, new AtomicBoolean(true), -1);
        awaitText(out, "a\n");
        reader.interrupt();
        reader.join();
    }
}
