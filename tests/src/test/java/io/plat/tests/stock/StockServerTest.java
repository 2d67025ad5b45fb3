package io.plat.tests.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TestPki;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Responses of apiserver-lite equal those of kube-apiserver in the same state. */
class StockServerTest {
    private static final double SAME = Double.parseDouble(System.getProperty("plat.stock.same", "0.97"));

    @Test
    void recordedRequestsHaveTheSameAnswers() throws IOException {
        StockRecording recording = StockRecording.named();
        assumeTrue(recording.exists(), "no recorded answers of a stock server in " + recording.directory());
        Path tokens = tokens();
        try (StandaloneServer server = server(tokens);
                Replay replay = new Replay(server.at(""), clients(server.pki()))) {
            for (Exchange exchange : recording.setup()) {
                Answer answer = replay.send(exchange);
                assertThat(answer.status())
                        .as(exchange.command() + answer.body())
                        .isIn(200, 201, 409);
            }
            Comparison comparison = Comparison.of(recording.exchanges(), replay);
            comparison.print(Path.of("target", "stock-differences.txt").toAbsolutePath());
            assertThat(comparison.share()).isGreaterThanOrEqualTo(SAME);
        } finally {
            Files.delete(tokens);
        }
    }

    /** Token file for the requests. */
    static Path tokens() throws IOException {
        return Files.writeString(Files.createTempFile("plat-tokens", ".csv"), "tok-dev,dev2,u2,\"devs,others\"\n");
    }

    /** Starts the compared server. */
    static StandaloneServer server(Path tokens) {
        return StandaloneServer.startWithRoles(
                "--token-auth-file=" + tokens,
                "--anonymous-auth=true",
                "--service-account-issuer=https://issuer.example");
    }

    /** Adds the certificates of the clients. */
    static TestPki clients(TestPki pki) {
        return pki.client("imp").client("kubelet").clientWithKey(KeyKind.EC_P256, "user", "dev", "devs");
    }
}
