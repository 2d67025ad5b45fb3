package io.plat.apiserver.endpoint;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /debug}: threads, heap and flight recordings of the process. Unauthenticated users are refused regardless of policy, as no policy
 * should let everyone slow down a server. One request is served at a time.
 */
final class DebugEndpoint implements ApiEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(DebugEndpoint.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Maximum size of a thread dump or recording, in bytes. */
    private static final int MAX_BYTES = 32 << 20;

    /** Maximum duration of a recording, within the request timeout. */
    private static final long MAX_SECONDS = 30;

    private static final String INDEX = """
        /debug/threads                 the stacks of all threads
        /debug/heap                    memory by pool, and collections
        /debug/recording?seconds=5     a flight recording of the next seconds (%d at most)
        """.formatted(MAX_SECONDS);

    /** Events that could contain secrets: environment, system properties and command lines, including those of other processes. */
    private static final List<String> DISABLED_EVENTS = List.of(
            "jdk.InitialEnvironmentVariable",
            "jdk.InitialSystemProperty",
            "jdk.InitialSecurityProperty",
            "jdk.JVMInformation",
            "jdk.SystemProcess",
            "jdk.ProcessStart");

    private final Semaphore turn = new Semaphore(1);

    @Override
    public ApiResponse answer(Call call) throws StatusException {
        PathEndpoints.requireAuthenticated(call);
        return switch (PathEndpoints.path(call)) {
            case "/debug" -> ApiResponse.text(200, TEXT, INDEX);
            case "/debug/heap" -> ApiResponse.text(200, TEXT, heap());
            case "/debug/threads" ->
                new ApiResponse(200, TEXT, Map.of(), inSlot("threads.txt", DebugEndpoint::threads));
            case "/debug/recording" -> {
                long seconds = seconds(call);
                Body recording = inSlot("recording.jfr", file -> recordEvents(seconds, file));
                yield new ApiResponse(200, "application/octet-stream", Map.of(), recording)
                        .with("Content-Disposition", List.of("attachment; filename=\"recording.jfr\""));
            }
            default -> throw ApiErrors.notFound();
        };
    }

    private static long seconds(Call call) throws StatusException {
        String requested = call.info().query().first("seconds").orElse("5");
        long seconds = requested.matches("[0-9]{1,3}") ? Long.parseLong(requested) : 0;
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw ApiErrors.badRequest("seconds: expected a number from 1 to " + MAX_SECONDS);
        }
        return seconds;
    }

    /** Dump to a file, which does not exist yet. */
    @FunctionalInterface
    private interface Dump {
        void to(Path file) throws IOException, InterruptedException;
    }

    private Body inSlot(String name, Dump dump) throws StatusException {
        if (!turn.tryAcquire()) {
            throw new StatusException(Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "another debug request is running, please try again later"));
        }
        try {
            Path directory = Files.createTempDirectory("debug");
            Path file = directory.resolve(name);
            try {
                dump.to(file);
                try (InputStream dumped = Files.newInputStream(file)) {
                    return Body.of(dumped.readNBytes(MAX_BYTES));
                }
            } finally {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        } catch (IOException e) {
            LOG.warn("a request for /debug failed: cause={}", e.toString());
            throw new StatusException(StatusReason.INTERNAL_ERROR, "the request failed; the server log has the cause");
        } finally {
            turn.release();
        }
    }

    /** Writes the stacks of all threads, including virtual ones, like {@code jcmd}. */
    private static void threads(Path file) throws IOException {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
    }

    /**
     * Records JVM events for some seconds, with the JDK's default profile: no contents of requests, but paths, addresses and thread
     * names.
     */
    private static void recordEvents(long seconds, Path file) throws IOException, InterruptedException {
        try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
            recording.setMaxSize(MAX_BYTES);
            DISABLED_EVENTS.forEach(recording::disable);
            recording.start();
            TimeUnit.SECONDS.sleep(seconds);
            recording.stop();
            recording.dump(file);
        } catch (ParseException e) {
            throw new IOException("the JDK's recording profile could not be read", e);
        }
    }

    /** Returns memory by pool, in bytes, and the time of collections. */
    private static String heap() {
        var text = new StringBuilder();
        line(text, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        line(text, "outside the heap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            line(text, pool.getName(), pool.getUsage());
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            text.append("%-34s collections=%d milliseconds=%d%n"
                    .formatted(collector.getName(), collector.getCollectionCount(), collector.getCollectionTime()));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String what, MemoryUsage usage) {
        text.append("%-34s used=%d committed=%d max=%d%n"
                .formatted(what, usage.getUsed(), usage.getCommitted(), usage.getMax()));
    }
}
