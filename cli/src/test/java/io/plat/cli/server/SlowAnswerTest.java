package io.plat.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Responses that arrive byte by byte, each within the timeout. */
class SlowAnswerTest {
    @Test
    void endlessResponseTimesOut() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                bytes[from] = 'x';
                return 1;
            }
        };
        assertThatThrownBy(() ->
                        HttpsConnection.readBody(endless, Duration.ofMillis(50).toNanos()))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("the answer was not complete after PT0.05S");
    }

    @Test
    void otherResponsesAreRead() throws IOException {
        byte[] answer = new byte[100_000];
        answer[99_999] = 1;
        assertThat(HttpsConnection.readBody(
                        new ByteArrayInputStream(answer), Duration.ofMinutes(1).toNanos()))
                .isEqualTo(answer);
    }
}
