package io.plat.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sizes of the code against the limits in {@code house/sizes.properties}. A change that makes the code smaller lowers its limit. The sizes are
 * printed by {@code mvn -q -pl tests -am -Phouse test}.
 */
class SizesTest {
    private static final Path TOP = Checkout.root();

    @Test
    void sizesStayBelowTheirLimits() throws IOException {
        Properties limits = new Properties();
        try (Reader reader =
                Files.newBufferedReader(Path.of("src", "test", "resources", "house", "sizes.properties"))) {
            limits.load(reader);
        }
        List<Path> main = mainFiles();
        Map<Path, Integer> packages = new HashMap<>();
        main.forEach(file -> packages.merge(file.getParent(), 1, Integer::sum));
        Map<String, Long> sizes = new HashMap<>();
        sizes.put("main.lines", lines(main, ""));
        sizes.put("apiserver-lite.lines", lines(main, "apiserver-lite"));
        sizes.put("engine.lines", lines(main, "decider/engine"));
        sizes.put("package.files", (long)
                packages.values().stream().mapToInt(Integer::intValue).max().orElse(0));
        sizes.put("file.lines", main.stream().mapToLong(SizesTest::lines).max().orElse(0));
        sizes.put("ARCHITECTURE.lines", lines(TOP.resolve("ARCHITECTURE.md")));
        sizes.put("README.lines", lines(TOP.resolve("README.md")));
        List<String> exceeded = new ArrayList<>();
        limits.stringPropertyNames().stream().sorted().forEach(name -> {
            long limit = Long.parseLong(limits.getProperty(name).strip());
            System.out.println(name + ": " + sizes.get(name) + ", at most " + limit);
            if (Objects.requireNonNull(sizes.get(name)) > limit) {
                exceeded.add(name + ": " + sizes.get(name) + ", at most " + limit);
            }
        });
        assertThat(sizes.keySet()).isEqualTo(limits.stringPropertyNames());
        assertThat(exceeded).isEmpty();
    }

    /** The files of all modules except for the examples, which users copy. */
    private static List<Path> mainFiles() throws IOException {
        try (Stream<Path> files = Files.walk(TOP)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> TOP.relativize(file).toString().contains("src/main/java/"))
                    .filter(file -> !TOP.relativize(file).startsWith(Path.of("decider", "examples")))
                    .toList();
        }
    }

    private static long lines(List<Path> files, String directory) {
        return files.stream()
                .filter(file -> TOP.relativize(file).startsWith(directory) || directory.isEmpty())
                .mapToLong(SizesTest::lines)
                .sum();
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
