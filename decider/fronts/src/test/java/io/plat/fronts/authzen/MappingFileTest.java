package io.plat.fronts.authzen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.ProblemsException;
import io.plat.review.status.StatusException;
import io.plat.tls.files.FileWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappingFileTest {
    private static final String ROW = "resources:\n- type: box\n  resource: '\"%s\"'\n";
    private static final FileWatch.Settings WATCHING =
            new FileWatch.Settings(Duration.ofMillis(5), Duration.ofMillis(20), true);

    private static String mapped(MappingFile file) throws StatusException {
        EvaluationRequest evaluation = new EvaluationRequest(
                new Entity("user", "alice", true, Map.of()),
                new Entity("", "get", true, Map.of()),
                new Entity("box", "x", true, Map.of()),
                Map.of());
        return ((ResourceAttributes) file.current(false).access(evaluation)).resource();
    }

    @Test
    void theLastGoodContentStaysInEffect(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("mapping.yaml"), ROW.formatted("pods"));
        OpenResources opened = new OpenResources();
        try (ServerMetrics metrics = new ServerMetrics()) {
            MappingFile mapping = new MappingFile(file, Optional.of(WATCHING), metrics, opened);
            assertThat(mapped(mapping)).isEqualTo("pods");
            Files.writeString(file, ROW.formatted("secrets"));
            await().until(() -> mapped(mapping).equals("secrets"));
            Files.writeString(file, "resources: 1\n");
            await().until(mapping::isBroken);
            assertThat(mapped(mapping)).isEqualTo("secrets");
            assertThat(metrics.reloads("authzen-mapping", false).count()).isPositive();
            Files.writeString(file, ROW.formatted("pods"));
            await().until(() -> !mapping.isBroken() && mapped(mapping).equals("pods"));
        } finally {
            opened.close();
        }
    }

    /** The word is reserved in the language, and documented as a variable. */
    @Test
    void anIdMayContainTheNamespace(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("mapping.yaml"), ROW.formatted("pods") + "  id: 'namespace + \":\" + name'\n");
        OpenResources opened = new OpenResources();
        try (ServerMetrics metrics = new ServerMetrics()) {
            EvaluationRequest evaluation = new EvaluationRequest(
                    new Entity("user", "alice", true, Map.of()),
                    new Entity("", "get", true, Map.of()),
                    new Entity("box", "x", true, Map.of()),
                    Map.of());
            MappingFile mapping = new MappingFile(file, Optional.of(WATCHING), metrics, opened);
            assertThat(mapping.current(false).resourceId(evaluation, "a", "b")).isEqualTo("a:b");
        } finally {
            opened.close();
        }
    }

    @Test
    void anInvalidFileIsRefusedAndNotWatched(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("mapping.yaml"), "resources: 1\n");
        OpenResources opened = new OpenResources();
        try (ServerMetrics metrics = new ServerMetrics()) {
            assertThatThrownBy(() -> new MappingFile(file, Optional.of(WATCHING), metrics, opened))
                    .isInstanceOf(ProblemsException.class);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().contains("authzen-mapping"));
    }

    @Test
    void withoutSettingsTheFileIsReadOnce(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("mapping.yaml"), ROW.formatted("pods"));
        try (ServerMetrics metrics = new ServerMetrics()) {
            MappingFile mapping = new MappingFile(file, Optional.empty(), metrics, new OpenResources());
            assertThat(mapped(mapping)).isEqualTo("pods");
            assertThat(mapping.isBroken()).isFalse();
        }
    }
}
