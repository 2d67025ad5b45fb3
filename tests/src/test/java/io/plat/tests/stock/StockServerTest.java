package io.plat.tests.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.LoneServer;
import io.plat.tests.process.TestPki;
import io.plat.tls.pki.KeyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The answers of apiserver-lite are those of a stock kube-apiserver in the same state. */
class StockServerTest {
    private static final double SAME = Double.parseDouble(System.getProperty("plat.stock.same", "0.97"));

    @Test
    void recordedRequestsHaveTheSameAnswers() throws IOException {
        StockRecording recording = StockRecording.named();
        assumeTrue(recording.exists(), "no recorded answers of a stock server in " + recording.folder());
        List<String> differences = new ArrayList<>();
        Map<String, int[]> areas = new TreeMap<>();
        int compared = 0;
        int same = 0;
        Path tokens = Files.createTempFile("plat-tokens", ".csv");
        Files.writeString(tokens, "tok-dev,dev2,u2,\"devs,others\"\n");
        try (LoneServer server = LoneServer.startWithRoles(
                "--token-auth-file=" + tokens,
                "--anonymous-auth=true",
                "--service-account-issuer=https://issuer.example")) {
            TestPki pki = server.pki().client("imp").client("kubelet");
            pki.clientWithKey(KeyKind.EC_P256, "user", "dev", "devs");
            try (Replay replay = new Replay(server.process(), pki)) {
                for (Exchange exchange : recording.setup()) {
                    Answer answer = replay.send(exchange);
                    assertThat(answer.status())
                            .as(exchange.command() + answer.body())
                            .isIn(200, 201, 409);
                }
                for (Exchange exchange : recording.exchanges()) {
                    Answer ours = replay.send(exchange).stable();
                    Answer theirs = exchange.answer().stable();
                    List<String> found = Difference.between(theirs, ours);
                    compared++;
                    int[] area = areas.computeIfAbsent(exchange.area(), name -> new int[2]);
                    area[1]++;
                    if (found.isEmpty() || Reasons.cover(exchange, theirs, ours)) {
                        same++;
                        area[0]++;
                    } else {
                        differences.add("# " + exchange.line() + " " + exchange.area() + " " + exchange.who() + " "
                                + exchange.method() + " " + exchange.path() + "\n" + exchange.command() + "\n  "
                                + String.join("\n  ", found));
                    }
                }
            }
        } finally {
            Files.delete(tokens);
        }
        Path report = Path.of("target", "stock-differences.txt").toAbsolutePath();
        Files.write(report, differences);
        areas.forEach((area, counts) -> System.out.println(area + ": " + counts[0] + " of " + counts[1]));
        System.out.println("the same answers: " + same + " of " + compared + "; differences: " + report);
        assertThat((double) same / compared).isGreaterThanOrEqualTo(SAME);
    }
}
