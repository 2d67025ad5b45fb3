package io.plat.apiserver.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * A recording of the JVM's events over some seconds, by the JDK's settings for production. It holds no content of requests, but paths of
 * files, addresses and names of threads; left out is what could hold a secret: the environment, properties and command lines, also those of
 * other processes.
 */
final class FlightRecording {
    /** How long one lasts at most, so that its request is answered within the time that requests have. */
    static final long MOST_SECONDS = 30;

    private static final long LARGEST_BYTES = 32 << 20;

    private static final List<String> LEFT_OUT = List.of(
            "jdk.InitialEnvironmentVariable",
            "jdk.InitialSystemProperty",
            "jdk.InitialSecurityProperty",
            "jdk.JVMInformation",
            "jdk.SystemProcess",
            "jdk.ProcessStart");

    private FlightRecording() {}

    /**
     * Records for so long.
     *
     * @throws IOException if the recording can't be put down in between
     * @throws InterruptedException if the server stops meanwhile
     */
    static byte[] of(long seconds) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("recording");
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording(settings())) {
            recording.setMaxSize(LARGEST_BYTES);
            LEFT_OUT.forEach(recording::disable);
            recording.start();
            TimeUnit.SECONDS.sleep(seconds);
            recording.stop();
            recording.dump(file);
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static Configuration settings() throws IOException {
        try {
            return Configuration.getConfiguration("default");
        } catch (ParseException e) {
            throw new IOException("the JDK's own settings can't be read", e);
        }
    }
}
