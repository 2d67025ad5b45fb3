package io.plat.apiserver.representation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses with large objects: the retained memory is charged. */
class RetainedMemoryTest {
    private static final int OBJECTS = 20;
    private static final int BYTES = 100_000;
    private static final ResourceType MAPS =
            ResourceCatalog.builtIn().find("", "v1", "configmaps").orElseThrow();

    private static ServedObject map(int number) {
        String name = "m" + number;
        String stored = "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"n\"},\"data\":{\"k\":\""
                + "x".repeat(BYTES) + "\"}}";
        return ServedObject.of(MAPS, new Entry(new Key("configmaps", "n", name), stored.getBytes(UTF_8), 9));
    }

    private static Representation form(String accept) throws StatusException {
        return Negotiation.objects(new Preferences(accept, false, "Object"), MAPS);
    }

    /** Counts the bytes, and those of the largest piece. */
    private static final class Pieces extends OutputStream {
        private long size;
        private int largest;

        @Override
        public void write(int b) {
            size++;
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            size += length;
            largest = Math.max(largest, length);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                                                 | true
            application/json;pretty=1                                        | true
            application/yaml                                                 | true
            application/vnd.kubernetes.protobuf                              | true
            application/json;as=Table;v=v1;g=meta.k8s.io                     | true
            application/yaml;as=Table;v=v1;g=meta.k8s.io                     | false
            application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io | true
            """)
    void listIsStreamedOrCharged(String accept, boolean streamed) throws StatusException, IOException {
        List<ServedObject> maps =
                IntStream.range(0, OBJECTS).mapToObj(RetainedMemoryTest::map).toList();
        Body body = form(accept).list(new ServedList(MAPS, 9, "", OptionalLong.empty(), maps));
        var pieces = new Pieces();
        body.writeTo(pieces);
        assertThat(body.retained()).isEqualTo(streamed ? 0 : pieces.size);
        if (streamed) {
            assertThat(pieces.largest).isLessThan(2 * BYTES);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                             | true
            application/json;pretty=1                    | true
            application/yaml                             | false
            application/vnd.kubernetes.protobuf          | false
            application/json;as=Table;v=v1;g=meta.k8s.io | true
            """)
    void largeObjectIsIdenticalInPieces(String accept, boolean streamed) throws StatusException, IOException {
        Body body = form(accept).answer(map(1));
        var out = new ByteArrayOutputStream();
        body.writeTo(out);
        assertThat(out.toByteArray()).isEqualTo(form(accept).object(map(1)));
        assertThat(body.retained()).isEqualTo(streamed ? 0 : out.size());
        assertThat(body.size()).isIn(Body.UNKNOWN, (long) out.size());
    }
}
