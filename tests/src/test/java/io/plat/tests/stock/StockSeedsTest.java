package io.plat.tests.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.foreign.StockApiServer;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Responses of apiserver-lite to derived requests equal those of a kube-apiserver that runs next to it. In the full run only, as compiling
 * it takes long. {@code plat.seed} chooses the requests, {@code plat.stock.record} names a directory that records the responses for {@link
 * StockServerTest}.
 */
class StockSeedsTest {
    private static final double SAME = Double.parseDouble(System.getProperty("plat.stock.same", "0.93"));
    private static final long SEED = Long.getLong("plat.seed", 1);
    private static final int COUNT = Integer.getInteger("plat.stock.count", 3_000);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void derivedRequestsHaveTheSameAnswers() throws IOException {
        assumeThat(Boolean.getBoolean("plat.full"))
                .as("compiled in the full run only")
                .isTrue();
        StockRecording recording = StockRecording.named();
        assumeTrue(recording.exists(), "no recorded requests in " + recording.directory());
        StockApiServer.build();
        List<Exchange> requests = new DerivedRequests(recording.exchanges(), objects(), SEED).next(COUNT);
        Path tokens = StockServerTest.tokens();
        try (StandaloneServer server = StockServerTest.server(tokens);
                TestPki pki = StockServerTest.clients(TestPki.create().client("admin", "system:masters"));
                StockApiServer stock = StockApiServer.startWith(
                        pki, "--authorization-mode=RBAC", "--token-auth-file=" + tokens, "--anonymous-auth=true");
                Replay ours = new Replay(server.at(""), StockServerTest.clients(server.pki()));
                Replay theirs = new Replay(stock.address(), pki)) {
            for (Exchange exchange : recording.setup()) {
                theirs.send(exchange);
                ours.send(exchange);
            }
            List<Exchange> answered = new ArrayList<>();
            for (Exchange request : requests) {
                try {
                    answered.add(request.answered(theirs.send(request)));
                } catch (IOException unanswered) {
                    System.out.println("no answer to " + request.command() + ": " + unanswered);
                }
            }
            assertThat(answered.size()).as("answered requests").isGreaterThan(COUNT * 99 / 100);
            String record = System.getProperty("plat.stock.record");
            if (record != null) {
                new StockRecording(Path.of(record)).write(recording, answered);
            }
            Comparison comparison = Comparison.of(answered, ours);
            comparison.print(
                    Path.of("target", "stock-differences-" + SEED + ".txt").toAbsolutePath());
            assertThat(comparison.share()).isGreaterThanOrEqualTo(SAME);
        } finally {
            Files.delete(tokens);
        }
    }

    /** The objects of the catalog, also with their changes. */
    private static List<JsonNode> objects() throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        try (InputStream in =
                Objects.requireNonNull(StockSeedsTest.class.getResourceAsStream("/catalog/objects.yaml"), "objects")) {
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(in)) {
                JsonNode row = JSON.valueToTree(document);
                objects.add(row.path("object"));
                objects.add(
                        JSON.readerForUpdating(row.path("object").deepCopy()).readValue(row.path("change")));
            }
        }
        return objects;
    }
}
