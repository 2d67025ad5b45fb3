package io.plat.apiserver.representation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.google.protobuf.UnknownFieldSet;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** An object, a list, a failure and stream events agree in all representations. */
class FormsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final BinaryForms BINARY = BinaryForms.builtIn();
    private static final String BINARY_TYPE = "application/vnd.kubernetes.protobuf";
    private static final ResourceType MAPS = type("", "v1", "configmaps");
    private static final ResourceType EARLIER_BINDINGS = type("rbac.authorization.plat.io", "v1alpha1", "rolebindings");

    private static ResourceType type(String group, String version, String resource) {
        return ResourceCatalog.builtIn().find(group, version, resource).orElseThrow();
    }

    private static ServedObject map(String name, long revision) {
        String stored =
                "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"n\",\"annotations\":{\"a\":\"}{\\\"\\\\\"},"
                        + "\"uid\":\"u\"},\"data\":{\"k\":\"\u00e4\",\"y\":\"no\",\"n\":\"1e3\"}}";
        return ServedObject.of(MAPS, new Entry(new Key("configmaps", "n", name), stored.getBytes(UTF_8), revision));
    }

    private static ServedObject binding() {
        String stored = "{\"metadata\":{\"name\":\"b\",\"namespace\":\"n\"},\"subjects\":[{\"kind\":\"User\","
                + "\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"u\"}],\"roleRef\":{\"kind\":\"Role\","
                + "\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"r\"}}";
        Key key = new Key("rolebindings.rbac.authorization.k8s.io", "n", "b");
        return ServedObject.of(EARLIER_BINDINGS, new Entry(key, stored.getBytes(UTF_8), 12));
    }

    private static ServedList list(ServedObject... objects) {
        return new ServedList(objects[0].type(), 120, "token", OptionalLong.of(5), List.of(objects));
    }

    private static Representation form(String accept) throws StatusException {
        return Negotiation.objects(new Preferences(accept, false, ""), MAPS);
    }

    private static JsonNode decoded(byte[] envelope) throws StatusException, IOException {
        return JSON.readTree(BINARY.decode(envelope, TypeMeta.UNKNOWN, 1 << 20));
    }

    private static JsonNode fromYaml(byte[] yaml) {
        Object tree = new Yaml().load(new String(yaml, UTF_8));
        return JSON.valueToTree(tree);
    }

    @Test
    void oneObjectIsTheSameInEachForm() throws StatusException, IOException {
        ServedObject object = map("a", 9);
        JsonNode json = JSON.readTree(form("").object(object));
        assertThat(json.path("metadata").path("resourceVersion").asText()).isEqualTo("9");
        assertThat(decoded(form(BINARY_TYPE).object(object))).isEqualTo(json);
        assertThat(fromYaml(form("application/yaml").object(object))).isEqualTo(json);
        assertThat(JSON.readTree(form("application/json;pretty=1").object(object)))
                .isEqualTo(json);
    }

    @Test
    void listIsTheSameInEachForm() throws StatusException, IOException {
        for (ServedList list : List.of(list(map("a", 9), map("b", 1_000_000_007)), list(binding(), binding()))) {
            Body body = form("").list(list);
            assertThat(body.size()).isEqualTo(body.bytes().length);
            assertThat(body.bytes()).as("written again").isEqualTo(body.bytes());
            JsonNode json = JSON.readTree(body.bytes());
            assertThat(json.path("metadata"))
                    .isEqualTo(JSON.readTree(
                            "{\"resourceVersion\":\"120\",\"continue\":\"token\",\"remainingItemCount\":5}"));
            Body binary = form(BINARY_TYPE).list(list);
            assertThat(binary.size()).isEqualTo(binary.bytes().length);
            assertThat(decoded(binary.bytes())).isEqualTo(json);
            JsonNode yaml = fromYaml(form("application/yaml").list(list).bytes());
            assertThat(yaml.path("metadata")).isEqualTo(json.path("metadata"));
            assertThat(yaml.path("items").path(1).path("metadata"))
                    .isEqualTo(json.path("items").path(1).path("metadata"));
        }
    }

    @Test
    void emptyListHasItemsInEachForm() throws StatusException, IOException {
        ServedList empty = new ServedList(MAPS, 3, "", OptionalLong.empty(), List.of());
        assertThat(new String(form("").list(empty).bytes(), UTF_8))
                .isEqualTo("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"3\","
                        + "\"continue\":\"\"},\"items\":[]}");
        assertThat(fromYaml(form("application/yaml").list(empty).bytes()).path("items"))
                .isEmpty();
        assertThat(decoded(form(BINARY_TYPE).list(empty).bytes()).path("kind").asText())
                .isEqualTo("ConfigMapList");
    }

    @Test
    void metadataIsExtractedUnchanged() throws StatusException, IOException {
        String desired = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        JsonNode whole = JSON.readTree(form("").object(map("a", 9)));
        JsonNode json = JSON.readTree(form("application/json" + desired).object(map("a", 9)));
        assertThat(json.path("metadata")).isEqualTo(whole.path("metadata"));
        assertThat(json).hasSize(3);
        assertThat(decoded(form(BINARY_TYPE + desired).object(map("a", 9)))).isEqualTo(json);
        Body many = form(BINARY_TYPE + desired.replace("Metadata;", "MetadataList;"))
                .list(list(map("a", 9), map("b", 10)));
        assertThat(decoded(many.bytes())
                        .path("items")
                        .path(1)
                        .path("metadata")
                        .path("name")
                        .asText())
                .isEqualTo("b");
    }

    /** The earlier version's list has swapped field numbers. */
    @ParameterizedTest(name = "meta.k8s.io/{0}")
    @CsvSource({"v1, 1, 2", "v1beta1, 2, 1"})
    void bothPartialObjectMetadataVersionsAreServed(String version, int metadata, int items)
            throws StatusException, IOException {
        String one = ";as=PartialObjectMetadata;g=meta.k8s.io;v=" + version;
        String many = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=" + version;
        JsonNode json = JSON.readTree(form("application/json" + one).object(map("a", 9)));
        assertThat(json.path("apiVersion").asText()).isEqualTo("meta.k8s.io/" + version);
        assertThat(decoded(form(BINARY_TYPE + one).object(map("a", 9)))).isEqualTo(json);
        ServedList list = list(map("a", 9), map("b", 10));
        JsonNode jsonList =
                JSON.readTree(form("application/json" + many).list(list).bytes());
        assertThat(jsonList.path("apiVersion").asText()).isEqualTo("meta.k8s.io/" + version);
        assertThat(jsonList.path("items").path(1))
                .isEqualTo(JSON.readTree(form("application/json" + one).object(map("b", 10))));
        byte[] binary = form(BINARY_TYPE + many).list(list).bytes();
        JsonNode read = decoded(binary);
        assertThat(read.path("apiVersion")).isEqualTo(jsonList.path("apiVersion"));
        assertThat(read.path("metadata")).isEqualTo(jsonList.path("metadata"));
        assertThat(read.path("items").path(1).path("metadata"))
                .isEqualTo(jsonList.path("items").path(1).path("metadata"));
        UnknownFieldSet message =
                UnknownFieldSet.parseFrom(UnknownFieldSet.parseFrom(Arrays.copyOfRange(binary, 4, binary.length))
                        .getField(2)
                        .getLengthDelimitedList()
                        .getFirst());
        assertThat(message.getField(metadata).getLengthDelimitedList()).hasSize(1);
        assertThat(message.getField(items).getLengthDelimitedList()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", BINARY_TYPE, "application/yaml", "application/json;as=Table;g=meta.k8s.io;v=v1"})
    void failureIsAStatusInEachForm(String accept) throws StatusException, IOException {
        Status status = Status.of(StatusReason.EXPIRED, "too old").withContinue("token");
        byte[] written = form(accept).status(status);
        JsonNode read = switch (accept) {
            case BINARY_TYPE -> decoded(written);
            case "application/yaml" -> fromYaml(written);
            default -> JSON.readTree(written);
        };
        assertThat(read.path("reason").asText()).isEqualTo("Expired");
        assertThat(read.path("metadata").path("continue").asText()).isEqualTo("token");
    }

    @Test
    void framesOfJsonAreLines() throws StatusException, IOException {
        Representation form = Negotiation.stream(new Preferences("", true, ""), MAPS);
        String line = new String(form.event("ADDED", map("a", 9)), UTF_8);
        assertThat(line)
                .startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\"")
                .endsWith("}}\n");
        assertThat(line.lines()).hasSize(1);
        assertThat(new String(form.bookmark(MAPS, 120, true), UTF_8))
                .isEqualTo(
                        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"120\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n");
        assertThat(JSON.readTree(form.statusEvent(Status.of(StatusReason.EXPIRED, "gone")))
                        .path("object")
                        .path("code")
                        .asInt())
                .isEqualTo(410);
        assertThat(form.stateful()).isFalse();
    }

    @Test
    void binaryFramesAreLengthPrefixed() throws StatusException, IOException {
        Representation form = Negotiation.stream(new Preferences(BINARY_TYPE, false, ""), MAPS);
        for (byte[] frame : List.of(
                form.event("MODIFIED", map("a", 9)),
                form.bookmark(MAPS, 120, false),
                form.statusEvent(Status.of(StatusReason.EXPIRED, "gone")))) {
            assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
        }
        String bookmark = new String(form.bookmark(MAPS, 120, true), UTF_8);
        assertThat(bookmark).contains("BOOKMARK", "k8s\0", "ConfigMap", "120", "k8s.io/initial-events-end");
    }

    @Test
    void onlyTheFirstTableOfAStreamHasColumnDefinitions() throws StatusException, IOException {
        Representation form = Negotiation.stream(
                new Preferences("application/json;as=Table;g=meta.k8s.io;v=v1", false, "None"), MAPS);
        assertThat(form.stateful()).isTrue();
        List<JsonNode> tables = new ArrayList<>();
        for (byte[] frame : List.of(
                form.event("ADDED", map("a", 9)), form.event("ADDED", map("b", 10)), form.bookmark(MAPS, 120, true))) {
            tables.add(JSON.readTree(frame).path("object"));
        }
        assertThat(tables.get(0).path("columnDefinitions")).hasSize(3);
        assertThat(tables.get(1).path("columnDefinitions").isNull()).isTrue();
        assertThat(tables.get(1).path("rows").path(0).path("cells").path(0).asText())
                .isEqualTo("b");
        assertThat(tables.get(2).path("metadata").path("annotations")).hasSize(1);
    }

    @Test
    void stateIsEncodedOnce() throws StatusException {
        ServedObject object = map("a", 9);
        byte[] first = EnvelopeRepresentation.message(object);
        assertThat(EnvelopeRepresentation.message(object)).isSameAs(first);
        assertThat(EnvelopeRepresentation.message(map("a", 9)))
                .as("another state, though it reads the same")
                .isNotSameAs(first);
        assertThat(Arrays.equals(EnvelopeRepresentation.message(map("a", 9)), first))
                .isTrue();
    }

    @Test
    void ambiguousStringsAreQuotedInYaml() throws StatusException, IOException {
        for (String text : List.of(
                "",
                "y",
                "no",
                "null",
                "~",
                "1",
                "0x1",
                "1_000",
                "1:30",
                ".5",
                "-",
                "true",
                "a: b",
                "# c",
                "a\nb\n",
                " x",
                "2001-01-01",
                "\u0001",
                "=",
                "<<",
                "'",
                "\"",
                "\u00e4",
                "\uD83D\uDE00",
                "a\tb",
                "*x",
                "&x",
                "!x",
                "%x",
                "@x")) {
            byte[] json = JSON.writeValueAsBytes(
                    JSON.createObjectNode().put("k", text).put("kind", "X"));
            byte[] yaml = form("application/yaml").document(TypeMeta.UNKNOWN, json);
            assertThat(fromYaml(yaml)).as(text).isEqualTo(JSON.readTree(json));
        }
    }

    /** A long list is encoded incrementally, with the same content. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                "application/yaml",
                "application/json;pretty"
            })
    void longListIsEncodedIncrementally(String accept) throws StatusException, IOException {
        ServedObject[] objects = new ServedObject[501];
        Arrays.setAll(objects, i -> map("m" + i, i + 1L));
        boolean pretty = accept.endsWith(";pretty");
        Preferences desired = new Preferences(accept.replace(";pretty", ""), pretty, "");
        Body body = Negotiation.objects(desired, MAPS).list(list(objects));
        Body shorter = Negotiation.objects(desired, MAPS).list(list(Arrays.copyOf(objects, 500)));
        assertThat(body.size()).isEqualTo(Body.UNKNOWN);
        assertThat(shorter.size()).isEqualTo(shorter.bytes().length);
        assertThat(body.bytes()).isEqualTo(body.bytes());
        JsonNode all = tree(accept, body);
        JsonNode most = tree(accept, shorter);
        String items = accept.contains("Table") ? "rows" : "items";
        assertThat(all.path(items)).hasSize(501);
        assertThat(((ArrayNode) all.path(items)).remove(500).toString()).contains("m500");
        assertThat(all).isEqualTo(most);
        if (pretty) {
            assertThat(new String(body.bytes(), UTF_8)).startsWith(new String(shorter.bytes(), 0, 2000, UTF_8));
        }
        var full = new Full(1000);
        assertThatThrownBy(() -> body.writeTo(full)).isInstanceOf(IOException.class);
        assertThat(full.requested).isLessThan(20_000);
    }

    private static JsonNode tree(String accept, Body body) throws IOException {
        return accept.equals("application/yaml") ? fromYaml(body.bytes()) : JSON.readTree(body.bytes());
    }

    /** A disconnecting client. */
    private static final class Full extends OutputStream {
        private final int room;
        private int requested;

        Full(int room) {
            this.room = room;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            requested += length;
            if (requested > room) {
                throw new IOException("gone");
            }
        }
    }
}
