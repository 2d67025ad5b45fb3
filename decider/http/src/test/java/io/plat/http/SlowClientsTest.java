package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.http.ComplianceViolation;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Detection of slow requests by a thread that does not read them. */
class SlowClientsTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    /** A parser that the detection reads twice: the first and the second state. */
    private static final class Seen extends HttpParser {
        private final Iterator<Long> begun;
        private final boolean idle;

        Seen(List<Long> begun, boolean idle) {
            super(new Nothing());
            this.begun = begun.iterator();
            this.idle = idle;
        }

        @Override
        public long getBeginNanoTime() {
            return begun.next();
        }

        @Override
        public boolean isIdle() {
            return idle;
        }
    }

    private static final class Nothing implements HttpParser.RequestHandler {
        @Override
        public void startRequest(String method, String uri, HttpVersion version) {}

        @Override
        public void parsedHeader(HttpField field) {}

        @Override
        public boolean headerComplete() {
            return false;
        }

        @Override
        public boolean content(ByteBuffer item) {
            return false;
        }

        @Override
        public boolean contentComplete() {
            return false;
        }

        @Override
        public boolean messageComplete() {
            return false;
        }

        @Override
        public void earlyEOF() {}

        @Override
        public void onViolation(ComplianceViolation.Event event) {}
    }

    @Test
    void theOldestLongHeadersAreAborted() {
        List<SlowClients.Incomplete> headers = new ArrayList<>();
        for (int begin : new int[] {3, 1, 2}) {
            headers.add(new SlowClients.Incomplete(new ByteArrayEndPoint(), begin, 50_000));
        }
        assertThat(SlowClients.tooMany(headers, 150_000)).isEmpty();
        assertThat(SlowClients.tooMany(headers, 80_000))
                .extracting(SlowClients.Incomplete::begin)
                .containsExactly(1L, 2L);
    }

    static Stream<Arguments> looks() {
        long now = System.nanoTime();
        long old = now - BOUND.plusSeconds(5).toNanos();
        return Stream.of(
                Arguments.of("a request that does not end", List.of(old, old), false, true),
                Arguments.of("a request that has just begun", List.of(now, now), false, false),
                Arguments.of("a request that was read and is being processed", List.of(old, old), true, false),
                Arguments.of("none yet", List.of(0L, 0L), false, false),
                Arguments.of("a request that ends during the check", List.of(old, 0L), false, false),
                Arguments.of("a request that ended, followed by another", List.of(old, now), false, false),
                Arguments.of("no request in the first state, a new one in the second", List.of(0L, now), false, false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("looks")
    void onlyOverdueRequestsAreSlow(String what, List<Long> begun, boolean idle, boolean expected) {
        SlowClients slow = new SlowClients(new ServerConnector(new Server()), BOUND);
        assertThat(slow.isTooSlow(new Seen(begun, idle))).as(what).isEqualTo(expected);
    }
}
