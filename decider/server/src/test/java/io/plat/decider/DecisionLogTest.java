package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.engine.decided.DecisionLine;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.engine.decided.SpecMask;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LineSink;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecisionLogTest {
    private enum Mode {
        BATCH,
        BLOCKING
    }

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FakeSink sink = new FakeSink();

    /** A sink that can block and fail. */
    private static final class FakeSink implements LineSink {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean full;
        private volatile boolean closed;

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (full) {
                throw new IOException("No space left on device");
            }
            lines.addAll(StandardCharsets.UTF_8.decode(bytes).toString().lines().toList());
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private LineLog<DecisionRecord> log(Mode mode, int decisions, long bytes, Duration timeout) {
        return DecisionLog.lines(
                new LineLog.Behaviour(mode == Mode.BLOCKING, new LineLog.Limits(decisions, bytes), timeout),
                new DecisionLine("ABAC", new SpecMask(Set.of())),
                sink,
                registry);
    }

    private LineLog<DecisionRecord> log(Mode mode) {
        return log(mode, 100, 1 << 20, Duration.ofSeconds(20));
    }

    private static final Attributes REQUEST = new Attributes(
            new UserInfo("alice", "", List.of(), Map.of()), new NonResourceAttributes("/version", "get"));

    private static DecisionRecord decided(String id) {
        return decided(id, REQUEST, new Decision.NoOpinion("no policy matched"));
    }

    private static DecisionRecord decided(String id, Attributes request, Decision decision) {
        return new DecisionRecord(
                id, Instant.EPOCH, "my-api-server", request, decision, "r1", 41_999, 300, ShadowSlot.NONE);
    }

    private double count(String name) {
        return registry.counter(name).count();
    }

    @Test
    void eventsBeforeTheStartAreQueued() throws IOException {
        try (LineLog<DecisionRecord> log = log(Mode.BATCH)) {
            assertThat(log.waits()).isFalse();
            assertThat(log.record(decided("1"))).isTrue();
            assertThat(sink.entered.getCount()).isEqualTo(1);
            log.begin();
            log.begin();
            await().until(() -> sink.lines.size() == 1);
        }
        assertThat(sink.closed).isTrue();
    }

    @Test
    void closingWritesEverythingInOrder() throws IOException {
        try (LineLog<DecisionRecord> log = log(Mode.BATCH, 5_000, 1 << 30, Duration.ofSeconds(20))) {
            IntStream.range(0, 2_000).forEach(i -> log.record(decided("n" + i)));
        }
        assertThat(sink.lines).hasSize(2_000);
        IntStream.range(0, 2_000)
                .forEach(i -> assertThat(sink.lines.get(i))
                        .startsWith("{\"id\":\"n" + i + "\"")
                        .endsWith("}"));
        assertThat(count("decision.log.written")).isEqualTo(2_000);
        assertThat(count("decision.log.dropped")).isZero();
    }

    @Test
    void aHangingWriterDropsAndCountsDecisions() throws Exception {
        sink.gate = new CountDownLatch(1);
        try (LineLog<DecisionRecord> log = log(Mode.BATCH, 10, 1 << 20, Duration.ofSeconds(20))) {
            log.begin();
            log.record(decided("first"));
            sink.entered.await();
            IntStream.range(0, 30)
                    .forEach(i -> assertThat(log.record(decided("n" + i))).isTrue());
            assertThat(count("decision.log.dropped")).isEqualTo(20);
            sink.gate.countDown();
        }
        assertThat(sink.lines).hasSize(11);
        assertThat(count("decision.log.written")).isEqualTo(11);
    }

    @Test
    void theQueueIsBoundedInBytesToo() throws Exception {
        sink.gate = new CountDownLatch(1);
        try (LineLog<DecisionRecord> log = log(Mode.BATCH, 1_000, 1_000, Duration.ofSeconds(20))) {
            // Not started: recorded lines stay in the queue. Each review has 300 bytes.
            IntStream.range(0, 5).forEach(i -> log.record(decided("n" + i)));
            assertThat(count("decision.log.dropped")).isEqualTo(2);
            sink.gate.countDown();
            log.begin();
            await().until(() -> sink.lines.size() == 3);
            log.record(decided("again"));
            await().until(() -> sink.lines.size() == 4);
        }
        assertThat(count("decision.log.dropped")).isEqualTo(2);
    }

    @Test
    void inBatchModeAFullDiskLosesLinesAndRecovers() throws IOException {
        sink.full = true;
        try (LineLog<DecisionRecord> log = log(Mode.BATCH)) {
            log.begin();
            assertThat(log.record(decided("lost"))).isTrue();
            await().until(() -> count("decision.log.dropped") == 1);
            sink.full = false;
            log.record(decided("kept"));
            await().until(() -> sink.lines.size() == 1);
        }
        assertThat(sink.lines.getFirst()).contains("kept");
    }

    @Test
    void inBlockingModeLinesPrecedeResponses() throws IOException {
        try (LineLog<DecisionRecord> log = log(Mode.BLOCKING)) {
            log.begin();
            assertThat(log.waits()).isTrue();
            for (int i = 0; i < 50; i++) {
                assertThat(log.record(decided("n" + i))).isTrue();
                assertThat(sink.lines).hasSize(i + 1);
            }
            sink.full = true;
            assertThat(log.record(decided("refused"))).isFalse();
            sink.full = false;
            assertThat(log.record(decided("again"))).isTrue();
        }
        assertThat(count("decision.log.dropped")).isEqualTo(1);
        assertThat(sink.lines).hasSize(51);
    }

    @Test
    void inBlockingModeAHangingWriterTimesOut() throws Exception {
        sink.gate = new CountDownLatch(1);
        try (LineLog<DecisionRecord> log = log(Mode.BLOCKING, 2, 1 << 20, Duration.ofMillis(200))) {
            log.begin();
            CompletableFuture<Boolean> pending = CompletableFuture.supplyAsync(() -> log.record(decided("underway")));
            sink.entered.await();
            assertThat(log.record(decided("waits"))).isFalse();
            assertThat(log.record(decided("is queued"))).isFalse();
            assertThat(log.record(decided("the queue is full"))).isFalse();
            assertThat(pending.join()).isFalse();
            assertThat(count("decision.log.dropped")).isEqualTo(3);
            sink.gate.countDown();
            await().until(() -> log.record(decided("again")));
        }
        assertThat(sink.lines).noneMatch(line -> line.contains("waits") || line.contains("finds"));
        assertThat(sink.lines).anyMatch(line -> line.contains("is queued"));
        assertThat(sink.lines.getLast()).contains("again");
    }

    @Test
    void closingTimesOutOnAHangingWriter() throws Exception {
        sink.gate = new CountDownLatch(1);
        LineLog<DecisionRecord> log = log(Mode.BATCH, 10, 1 << 20, Duration.ofMillis(100));
        log.begin();
        log.record(decided("1"));
        sink.entered.await();
        log.close();
        assertThat(sink.closed).isFalse();
        sink.gate.countDown();
    }

    @Test
    void aFailingReasonLosesOnlyItsLine() throws IOException {
        Grant broken = new Grant() {
            @Override
            public String authorizer() {
                return "Broken";
            }

            @Override
            public String source() {
                return "";
            }

            @Override
            public String rule() {
                return "";
            }

            @Override
            public String reason() {
                throw new IllegalStateException("a defect");
            }
        };
        Attributes request = REQUEST;
        try (LineLog<DecisionRecord> log = log(Mode.BLOCKING)) {
            log.begin();
            assertThat(log.record(decided("1", request, new Decision.Allow(broken))))
                    .isFalse();
            assertThat(log.record(decided("2"))).isTrue();
        }
        assertThat(sink.lines).singleElement().asString().contains("\"id\":\"2\"");
    }
}
