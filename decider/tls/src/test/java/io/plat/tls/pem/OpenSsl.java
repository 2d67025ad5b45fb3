package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The {@code openssl} program, as an independent writer and reader of the same files. */
public final class OpenSsl {
    private final Path directory;

    /** Uses this directory; skips the test with a message if the program is missing. */
    public OpenSsl(Path directory) {
        assumeTrue(installed(), "the program openssl is not installed");
        this.directory = directory;
    }

    private static boolean installed() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(p -> Files.isExecutable(Path.of(p, "openssl")));
    }

    /** Runs {@code openssl ARGUMENTS}, which must succeed, and returns its output. */
    public String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "openssl", ".out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("openssl ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }
}
