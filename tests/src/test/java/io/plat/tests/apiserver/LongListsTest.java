package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Lists longer than any client requests in one chunk are sent while they are encoded. */
class LongListsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OBJECTS = 501;
    private static final String MAPS = "/api/v1/namespaces/long/configmaps";

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
        var maps = ConfigMaps.in(server, "long");
        for (int i = 0; i < OBJECTS; i++) {
            maps.create("m%03d".formatted(i), "", "x".repeat(300));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<byte[]> read(String query, String accept, String encoding) throws IOException {
        return server.client()
                .withHeader("Accept", accept)
                .withHeader("Accept-Encoding", encoding)
                .getBytes(server.at(MAPS + query));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json;as=Table;v=v1;g=meta.k8s.io                     | ''           | rows  | /object/metadata/name
            application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io | ''           | items | /metadata/name
            application/yaml                                                 | ''           | items | /metadata/name
            application/json                                                 | ?pretty=true | items | /metadata/name
            """)
    void listIsComplete(String accept, String query, String items, String name) throws IOException {
        HttpResponse<byte[]> plain = read(query, accept, "identity");
        assertThat(plain.statusCode()).isEqualTo(200);
        assertThat(plain.headers().firstValue("Content-Length")).isEmpty();
        assertWhole(tree(accept, plain.body()).path(items), name);
        HttpResponse<byte[]> compressed = read(query, accept, "gzip");
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        byte[] same = new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes();
        assertWhole(tree(accept, same).path(items), name);
        assertThat(compressed.body().length).isLessThan(same.length / 2);
    }

    private static void assertWhole(JsonNode items, String name) {
        assertThat(items).hasSize(OBJECTS);
        for (int i = 0; i < OBJECTS; i++) {
            assertThat(items.get(i).at(name).asText()).isEqualTo("m%03d".formatted(i));
        }
    }

    private static JsonNode tree(String accept, byte[] body) throws IOException {
        return accept.equals("application/yaml")
                ? JSON.valueToTree(new Yaml().load(new String(body, UTF_8)))
                : JSON.readTree(body);
    }

    /** The connection is reusable. */
    @Test
    void headResponseHasNoBody() throws IOException {
        HttpResponse<String> head =
                server.client().withHeader("Accept", "application/yaml").send("HEAD", server.at(MAPS), null);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(server.client().get(server.at(MAPS + "/m000")).statusCode()).isEqualTo(200);
    }
}
