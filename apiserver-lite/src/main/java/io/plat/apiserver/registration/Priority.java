package io.plat.apiserver.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How a group version ranks among others; the higher number stands first.
 *
 * @param group the group's
 * @param version the version's within the group
 */
record Priority(int group, int version) {
    /** Of a version that types made at run time have: behind all others, and sorted by what versions are called. */
    static final Priority OF_DEFINITIONS = new Priority(1000, 100);

    private static final String FILE = "priorities.txt";

    /** Those of the server's own group versions, by how {@code apiVersion} has them. */
    static Map<String, Priority> own() {
        try (InputStream in = Objects.requireNonNull(Priority.class.getResourceAsStream(FILE), FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" +"))
                    .collect(Collectors.toMap(
                            words -> words[0],
                            words -> new Priority(Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
        } catch (IOException e) {
            throw new UncheckedIOException(FILE, e);
        }
    }
}
