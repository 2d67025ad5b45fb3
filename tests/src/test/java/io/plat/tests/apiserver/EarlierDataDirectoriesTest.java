package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data directories written by earlier builds, each with the responses of that build: {@code format-2} is from commit 1e81af1. Files of a
 * format are never changed; a new format gets a new file.
 */
@EmbeddedOnly("reads files of the embedded store")
class EarlierDataDirectoriesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Last byte of the format number in SQLite's header. */
    private static final int FORMAT = 63;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static InputStream resource(String name) {
        return Objects.requireNonNull(
                EarlierDataDirectoriesTest.class.getResourceAsStream("directories/" + name), name);
    }

    private static byte[] written(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(resource(name + ".db.gz"))) {
            return in.readAllBytes();
        }
    }

    /** Returns the items of a list, or one object, without server-managed fields. */
    private static List<JsonNode> lasting(JsonNode answer) {
        if (answer.has("items")) {
            return answer.path("items")
                    .valueStream()
                    .map(EarlierDataDirectoriesTest::withoutType)
                    .toList();
        }
        ObjectNode object = answer.deepCopy();
        object.withObject("/metadata").remove(List.of("managedFields", "resourceVersion"));
        return List.of(object.without(List.of("status")));
    }

    /** Earlier builds did not state the type of listed custom objects. */
    private static JsonNode withoutType(JsonNode item) {
        ObjectNode object = item.deepCopy();
        return object.remove(List.of("apiVersion", "kind"));
    }

    @ParameterizedTest
    @ValueSource(strings = "format-2")
    void dataOfEarlierBuildsIsReadUnchanged(String name) throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.write(data.resolve("objects.db"), written(name));
        try (TestPki pki = TestPki.create().client("admin", "system:masters");
                RunningServer server = ConfiguredStore.serve(pki, List.of("--data-dir=" + data));
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            JsonNode answers;
            try (InputStream in = resource(name + ".json")) {
                answers = JSON.readTree(in);
            }
            for (Map.Entry<String, JsonNode> answer : answers.properties()) {
                JsonNode now =
                        JSON.readTree(client.get(server.at(answer.getKey())).body());
                // A server may have added objects that belong to a namespace.
                assertThat(lasting(now)).as(answer.getKey()).containsAll(lasting(answer.getValue()));
            }
            assertThat(client.get(server.at("/readyz")).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, an older", "3, a newer", "100, a newer"})
    void otherFormatIsRefusedAndUnchanged(int format, String whose) throws IOException {
        Path file = Files.createDirectory(directory.resolve("data")).resolve("objects.db");
        byte[] bytes = written("format-2");
        assertThat(bytes[FORMAT]).isEqualTo((byte) 2);
        bytes[FORMAT] = (byte) format;
        Files.write(file, bytes);
        CompletedProcess rejected = Command.reused(Program.APISERVER_LITE, "check", "--data-dir=" + file.getParent())
                .run();
        assertThat(rejected.err())
                .isEqualTo("--data-dir: \"" + file + "\" was written by " + whose
                        + " version of this program: its format is " + format + ", expected 2\n");
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }
}
