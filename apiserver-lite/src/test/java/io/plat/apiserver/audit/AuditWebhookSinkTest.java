package io.plat.apiserver.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** End of a webhook's log; its requests are tested with a server. */
class AuditWebhookSinkTest {
    private static String failure(AuditWebhookSink sink) {
        try {
            sink.write(ByteBuffer.wrap("{}\n".getBytes(UTF_8)));
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void anUnresponsiveWebhookDoesNotDelayTheEnd() throws Exception {
        ClientTls tls = ClientTls.read(new ClientTls.Config(null, null, null, null), InstantSource.system());
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("https://127.0.0.1:" + silent.getLocalPort());
            AuditWebhookSink sink = new AuditWebhookSink(
                    new AuditWebhookSink.Target(url, tls, null),
                    new AuditWebhookSink.Timeouts(Duration.ofMinutes(2), Duration.ofMillis(1)));
            CompletableFuture<String> failure = CompletableFuture.supplyAsync(() -> failure(sink));
            try (Socket connected = silent.accept()) {
                sink.ending();
                assertThat(failure.get(30, TimeUnit.SECONDS)).startsWith(url + ": ");
                assertThat(connected.isConnected()).isTrue();
            } finally {
                sink.close();
            }
        }
    }
}
