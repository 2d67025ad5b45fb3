package io.plat.http.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Batching of lines; failed writes are tested with the decision log. */
class LineLogTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> batches = new CopyOnWriteArrayList<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch formatting = new CountDownLatch(1);
    private final CountDownLatch formatted = new CountDownLatch(1);
    private final CountDownLatch responds = new CountDownLatch(1);
    private Duration timeout = Duration.ofSeconds(20);

    private final class Words implements LineLog.LineForm<String>, LineSink {
        @Override
        public void write(String event, ByteArrayOutputStream lines) {
            if (event.equals("large")) {
                formatting.countDown();
                Awaitility.await().until(() -> formatted.getCount() == 0);
            }
            lines.writeBytes((event + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public int bytes(String event) {
            return event.length();
        }

        @Override
        public void write(ByteBuffer lines) throws IOException {
            if (lines.get(0) == '!') {
                throw new IOException("refused");
            }
            if (lines.get(0) == '?') {
                Awaitility.await().until(() -> responds.getCount() == 0);
            }
            batches.add(StandardCharsets.US_ASCII.decode(lines).toString().replace('\n', ' '));
        }

        @Override
        public void ending() {
            ending.countDown();
        }

        @Override
        public void close() {}
    }

    private LineLog<String> log(boolean waits, LineLog.Limits limits, LineLog.Batches gathered) {
        Words words = new Words();
        Losses losses = new Losses("test log", written -> {}, registry.counter("lost"), System::nanoTime);
        LineLog.Behaviour behaviour = new LineLog.Behaviour(waits, limits, timeout);
        LineLog<String> log = new LineLog<>(new LineLog.Parts<>(behaviour, gathered, words, words, losses));
        log.begin();
        return log;
    }

    private static final LineLog.Limits ROOM = new LineLog.Limits(100, 1000);

    @Test
    void aFullBatchIsWrittenAtOnce() throws IOException {
        try (LineLog<String> log = log(false, ROOM, new LineLog.Batches(3, 1000, LONG))) {
            List.of("a", "b", "c", "d").forEach(log::record);
            await().until(() -> batches.equals(List.of("a b c ")));
        }
        assertThat(batches).containsExactly("a b c ", "d ");
    }

    @Test
    void aFullQueueIsWrittenAtOnce() throws IOException {
        try (LineLog<String> log = log(false, new LineLog.Limits(100, 10), new LineLog.Batches(50, 1000, LONG))) {
            log.record("a");
            log.record("123456");
            await().until(() -> batches.equals(List.of("a 123456 ")));
        }
    }

    @Test
    void aBatchIsBoundedInBytes() throws IOException {
        try (LineLog<String> log = log(false, ROOM, new LineLog.Batches(50, 6, LONG))) {
            List.of("aa", "bb", "cc", "much-too-long", "dd").forEach(log::record);
        }
        assertThat(batches).containsExactly("aa bb ", "cc ", "much-too-long ", "dd ");
    }

    @Test
    void closingDoesNotWaitForABatch() throws IOException {
        LineLog<String> log = log(false, ROOM, new LineLog.Batches(50, 1000, LONG));
        log.record("a");
        log.close();
        assertThat(batches).containsExactly("a ");
        assertThat(ending.getCount()).isZero();
    }

    @Test
    void waitingCallersAreNotBatchedAndReceiveTheResult() throws IOException {
        try (LineLog<String> log = log(true, ROOM, new LineLog.Batches(50, 1000, LONG))) {
            assertThat(log.record("a")).isTrue();
            assertThat(log.record("!")).isFalse();
            log.recordOrDrop("!");
            await().until(() -> registry.counter("lost").count() == 2);
            assertThat(log.record("b")).isTrue();
        }
        assertThat(batches).containsExactly("a ", "b ");
        assertThat(registry.counter("lost").count()).isEqualTo(2);
    }

    @Test
    void aWaitingCallerDelaysNoOtherByFormatting() throws IOException {
        try (LineLog<String> log = log(true, ROOM, new LineLog.Batches(50, 1000, LONG))) {
            CompletableFuture<Boolean> large = CompletableFuture.supplyAsync(() -> log.record("large"));
            await().until(() -> formatting.getCount() == 0);
            assertThat(log.record("a")).isTrue();
            assertThat(large).isNotDone();
            formatted.countDown();
            assertThat(large.join()).isTrue();
        }
        assertThat(batches).containsExactly("a ", "large ");
    }

    @Test
    void onlyTheFirstCallersWaitForAnUnresponsiveDestination() throws IOException {
        timeout = Duration.ofSeconds(2);
        try (LineLog<String> log = log(true, ROOM, new LineLog.Batches(50, 1000, LONG))) {
            assertThat(log.record("?")).isFalse();
            long begin = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                assertThat(log.record("a")).isFalse();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(timeout);
            responds.countDown();
            await().until(() -> log.record("b"));
        }
        assertThat(String.join("", batches)).startsWith("? " + "a ".repeat(10)).endsWith("b ");
        assertThat(registry.counter("lost").count()).isEqualTo(1);
    }
}
