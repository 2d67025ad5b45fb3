package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.filter.TestingIncoming;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DebugEndpointTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of(UserInfo.AUTHENTICATED));

    private final DebugEndpoint endpoint = new DebugEndpoint();

    @TempDir
    Path directory = Path.of("");

    private ApiResponse get(String target) throws StatusException {
        return endpoint.answer(TestingIncoming.of("GET", target).by(ALICE));
    }

    private String text(String target) throws StatusException {
        return new String(get(target).body().bytes(), UTF_8);
    }

    @Test
    void debugPathsAreListed() throws StatusException {
        assertThat(text("/debug")).contains("/debug/threads", "/debug/heap", "/debug/recording?seconds=5");
        assertThat(text("/debug/")).isEqualTo(text("/debug"));
    }

    @Test
    void threadDumpIncludesVirtualThreads() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().name("a-virtual-thread").start(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().untilAsserted(() ->
                assertThat(text("/debug/threads")).contains("threadDumpIncludesVirtualThreads", "a-virtual-thread"));
        end.countDown();
        waiting.join();
    }

    @Test
    void heapIsSummarized() throws StatusException {
        assertThat(text("/debug/heap"))
                .containsPattern("(?m)^heap +used=[1-9][0-9]* committed=[0-9]+ max=[0-9-]+$")
                .containsPattern("collections=[0-9]+ milliseconds=[0-9]+");
    }

    @Test
    void recordingHoldsNoEnvironment() throws Exception {
        ApiResponse answer = get("/debug/recording?seconds=1");
        byte[] recording = answer.body().bytes();
        assertThat(new String(recording, 0, 4, ISO_8859_1)).isEqualTo("FLR\0");
        assertThat(answer.headers()).containsKey("Content-Disposition");
        List<String> names = RecordingFile.readAllEvents(Files.write(directory.resolve("r.jfr"), recording)).stream()
                .map(RecordedEvent::getEventType)
                .map(type -> type.getName())
                .distinct()
                .toList();
        assertThat(names)
                .contains("jdk.CPUInformation")
                .doesNotContain(
                        "jdk.InitialEnvironmentVariable",
                        "jdk.InitialSystemProperty",
                        "jdk.JVMInformation",
                        "jdk.SystemProcess");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "31", "1000", "-1", "x", "", "1.5"})
    void recordingDurationIsBounded(String seconds) {
        assertThatThrownBy(() -> get("/debug/recording?seconds=" + seconds))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(400));
    }

    @Test
    void oneInspectionAtATime() throws Exception {
        CompletableFuture<ApiResponse> first = CompletableFuture.supplyAsync(() -> {
            try {
                return get("/debug/recording?seconds=2");
            } catch (StatusException e) {
                throw new IllegalStateException(e);
            }
        });
        await().untilAsserted(() -> assertThatThrownBy(() -> get("/debug/threads"))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        busy -> assertThat(busy.status().code()).isEqualTo(429)));
        assertThat(first.join().code()).isEqualTo(200);
        assertThat(get("/debug/threads").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/debug", "/debug/heap", "/debug/threads", "/debug/recording", "/debug/none"})
    void anonymousUsersAreRefused(String target) {
        for (UserInfo unknown : List.of(
                new UserInfo(UserInfo.ANONYMOUS, List.of()), new UserInfo("x", List.of(UserInfo.UNAUTHENTICATED)))) {
            assertThatThrownBy(() ->
                            endpoint.answer(TestingIncoming.of("GET", target).by(unknown)))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            refused -> assertThat(refused.status().code()).isEqualTo(403));
        }
    }

    @Test
    void otherPathsAreNotFound() {
        assertThatThrownBy(() -> get("/debug/pprof/heap"))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        absent -> assertThat(absent.status().code()).isEqualTo(404));
    }
}
