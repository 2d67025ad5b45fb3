package io.plat.tests.stock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The directory of a recording: {@code setup.jsonl}, the requests that create the state, and {@code answers.jsonl.gz}. */
record StockRecording(Path directory) {
    /** Returns the selected directory, or the default one next to the project. */
    static StockRecording named() {
        String named = System.getProperty("plat.stock");
        return new StockRecording(
                named != null
                        ? Path.of(named)
                        : Path.of("..", "..", "shared", "data", "stock-server")
                                .toAbsolutePath()
                                .normalize());
    }

    /** Returns whether it exists. */
    boolean exists() {
        return Files.isReadable(directory.resolve("answers.jsonl.gz"));
    }

    /** Returns the requests that create the state, in order. */
    List<Exchange> setup() {
        try (BufferedReader lines = Files.newBufferedReader(directory.resolve("setup.jsonl"))) {
            return read(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the compared requests, in order. */
    List<Exchange> exchanges() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(directory.resolve("answers.jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            return read(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes requests and responses, with the state of another recording. */
    void write(StockRecording state, List<Exchange> answered) throws IOException {
        Files.createDirectories(directory);
        Files.copy(
                state.directory().resolve("setup.jsonl"),
                directory.resolve("setup.jsonl"),
                StandardCopyOption.REPLACE_EXISTING);
        try (Writer lines = new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(directory.resolve("answers.jsonl.gz"))),
                StandardCharsets.UTF_8)) {
            for (Exchange exchange : answered) {
                lines.write(exchange.format() + "\n");
            }
        }
    }

    private static List<Exchange> read(BufferedReader lines) {
        List<Exchange> exchanges = new ArrayList<>();
        lines.lines().forEach(line -> exchanges.add(Exchange.parse(exchanges.size() + 1, line)));
        return exchanges;
    }
}
