package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lists of large objects in each representation for clients that do not read, in a heap much smaller than the responses: each is answered
 * or refused, and others are served.
 */
class SlowListReadersTest {
    private static final int READERS = Boolean.getBoolean("plat.full") ? 100 : 24;
    private static final int HEAP_MIB = 96;
    private static final String JAVA_OPTIONS =
            "-Xmx" + HEAP_MIB + "m -XX:TieredStopAtLevel=4 -XX:CompileThresholdScaling=1";

    private static final int ROUNDS = 12;
    private static final int OBJECTS = 16;
    private static final int ENTRIES = 6000;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static StandaloneServer server;
    private static int writes;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithJavaOptions(JAVA_OPTIONS);
        String data = data("v");
        for (int i = 0; i < OBJECTS; i++) {
            create("m" + i, data);
        }
    }

    private static String data(String value) {
        return IntStream.range(0, ENTRIES)
                .mapToObj(i -> "\"k" + i + "\":\"" + (value + i + " ").repeat(16) + "\"")
                .collect(Collectors.joining(","));
    }

    private static String object(String name, String data) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{" + data + "}}";
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void create(String name, String data) throws IOException {
        assertThat(server.client().post(server.at(MAPS), object(name, data)).statusCode())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                                                    | ''
            application/json                                                    | ?pretty=true
            application/json                                                    | /m0
            application/json                                                    | /m0?pretty=true
            application/yaml                                                    | ''
            application/yaml                                                    | /m0
            application/vnd.kubernetes.protobuf                                 | ''
            application/vnd.kubernetes.protobuf                                 | /m0
            application/json;as=Table;v=v1;g=meta.k8s.io                        | ?includeObject=Object
            application/json;as=Table;v=v1;g=meta.k8s.io                        | ?includeObject=Object&pretty=true
            application/yaml;as=Table;v=v1;g=meta.k8s.io                        | ?includeObject=Object
            application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io    | ''
            """)
    void slowListReadersExhaustNothing(String accept, String query) throws IOException {
        SSLContext tls = server.pki().tls("admin");
        var address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.at("").getPort());
        List<RawClient> readers = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                readers.add(new RawClient(address, tls)
                        .send("GET " + MAPS + query + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept
                                + "\r\n\r\n"));
            }
            for (RawClient reader : readers) {
                assertThat(reader.answerWithoutBody().code()).isIn(200, 413, 429);
            }
            create("written" + writes++, "");
            assertThat(server.client().get(server.at(MAPS + "/m0")).statusCode())
                    .isEqualTo(200);
        } finally {
            for (RawClient reader : readers) {
                reader.close();
            }
        }
        assertThat(server.process().err()).doesNotContain("OutOfMemoryError");
    }

    /** Lists whose objects are replaced while they are read: the memory retained for the readers is bounded, and others are served. */
    @Test
    void memoryRetainedBySlowReadersIsBounded() throws IOException {
        SSLContext tls = server.pki().tls("admin");
        var address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.at("").getPort());
        List<RawClient> readers = new ArrayList<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < 3; i++) {
                    readers.add(
                            new RawClient(address, tls).send("GET " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
                }
                for (int i = 0; i < OBJECTS; i++) {
                    assertThat(replaced("m" + i, "r" + round)).isIn(200, 429);
                }
                assertThat(server.client().get(server.at(MAPS + "/m0")).statusCode())
                        .isEqualTo(200);
            }
        } finally {
            for (RawClient reader : readers) {
                reader.close();
            }
        }
        assertThat(server.process().err()).doesNotContain("OutOfMemoryError");
    }

    /** Replaces an object. If many lists are open, the memory for it may be refused before the body is read. */
    private static int replaced(String name, String value) {
        try {
            return server.client()
                    .send("PUT", server.at(MAPS + "/" + name), object(name, data(value)))
                    .statusCode();
        } catch (IOException closed) {
            return 429;
        }
    }
}
