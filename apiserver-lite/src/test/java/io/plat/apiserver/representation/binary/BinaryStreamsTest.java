package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and watch events assembled from parts, as Kubernetes' generated classes read them. */
class BinaryStreamsTest {
    private static final TypeMeta PODS = new TypeMeta("v1", "PodList");
    private static final TypeMeta POD = new TypeMeta("v1", "Pod");

    private static final BinaryForms FORMS = BinaryForms.builtIn();

    private byte[] pod(String name) throws Exception {
        return FORMS.find(POD)
                .orElseThrow()
                .message(("{\"metadata\":{\"name\":\"" + name + "\"}}").getBytes(StandardCharsets.UTF_8));
    }

    private static BinaryList list(byte[] metadata, List<byte[]> items) {
        int[] sizes = items.stream().mapToInt(item -> item.length).toArray();
        return new BinaryList(PODS, metadata, sizes, items::get);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 2_000})
    void listContainsItsItems(int count) throws Exception {
        var items = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            items.add(pod("pod-" + "x".repeat(i % 300)));
        }
        var list = list(BinaryList.metadata("42", "token", 7), items);
        var out = new ByteArrayOutputStream();
        list.writeTo(out);
        byte[] written = out.toByteArray();
        assertThat(list.size()).isEqualTo(written.length);

        Runtime.Unknown unknown = Runtime.Unknown.parseFrom(Arrays.copyOfRange(written, 4, written.length));
        assertThat(unknown.getTypeMeta().getKind()).isEqualTo("PodList");
        V1.PodList read = V1.PodList.parseFrom(unknown.getRaw());
        assertThat(read.getMetadata().getResourceVersion()).isEqualTo("42");
        assertThat(read.getMetadata().getContinue()).isEqualTo("token");
        assertThat(read.getMetadata().getRemainingItemCount()).isEqualTo(7);
        assertThat(read.getItemsList()).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(read.getItems(i).toByteArray()).isEqualTo(items.get(i));
        }
        var json = new JsonMapper().readTree(FORMS.decode(written, TypeMeta.UNKNOWN, 1 << 24));
        assertThat(json.path("items")).hasSize(count);
        assertThat(json.path("kind").asText()).isEqualTo("PodList");
    }

    /** A list that was converted as a whole equals the assembled one. */
    @Test
    void listIsTheSameInOnePiece() throws Exception {
        var out = new ByteArrayOutputStream();
        list(BinaryList.metadata("42", "", -1), List.of(pod("a"), pod("b"))).writeTo(out);
        byte[] whole = FORMS.find(PODS)
                .orElseThrow()
                .envelope(("{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"42\",\"continue\":\"\"},"
                                + "\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}]}")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(out.toByteArray()).isEqualTo(whole);
    }

    @Test
    void remainingItemCountIsOptional() throws Exception {
        assertThat(Meta.ListMeta.parseFrom(BinaryList.metadata("1", "", -1)).hasRemainingItemCount())
                .isFalse();
        assertThat(Meta.ListMeta.parseFrom(BinaryList.metadata("1", "", 0)).hasRemainingItemCount())
                .isTrue();
        assertThat(Meta.ListMeta.parseFrom(BinaryList.metadata("1", "", 0)).hasContinue())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"ADDED, 0", "MODIFIED, 1", "DELETED, 100", "BOOKMARK, 127", "ERROR, 200", "ADDED, 70000"})
    void eventContainsTheEnvelopeOfItsObject(String type, int nameLength) throws Exception {
        byte[] object = BinaryEnvelope.wrap(POD, pod("n".repeat(nameLength)));
        byte[] frame = BinaryEnvelope.watchFrame(type, object);
        byte[] message = Arrays.copyOfRange(frame, 4, frame.length);
        assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(message.length);

        Meta.WatchEvent event = Meta.WatchEvent.parseFrom(message);
        assertThat(event.getType()).isEqualTo(type);
        assertThat(event.getObject().getRaw().toByteArray()).isEqualTo(object);
        assertThat(event.toByteArray()).isEqualTo(message);
    }

    /** An event is an object whose own object is unwrapped in JSON. */
    @Test
    void eventInJsonShowsItsObject() throws Exception {
        byte[] frame = BinaryEnvelope.watchFrame("ADDED", BinaryEnvelope.wrap(POD, pod("a")));
        byte[] message = Arrays.copyOfRange(frame, 4, frame.length);
        byte[] json = FORMS.find(new TypeMeta("v1", "WatchEvent")).orElseThrow().json(message, 1_000);
        assertThat(json)
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"kind\":\"WatchEvent\",\"apiVersion\":\"v1\",\"type\":\"ADDED\",\"object\":"
                        + "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}}");
    }
}
