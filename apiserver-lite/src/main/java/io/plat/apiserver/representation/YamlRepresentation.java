package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** YAML, with keys in alphabetical order as in kube-apiserver. Not available for streams. */
final class YamlRepresentation extends Representation {
    static final String TYPE = "application/yaml";

    static final YamlRepresentation INSTANCE = new YamlRepresentation();

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactories.create())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** YAML costs many times as much as JSON: at most half of the processors encode it. */
    private static final Semaphore PERMITS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    private YamlRepresentation() {}

    @Override
    public String contentType() {
        return TYPE;
    }

    @Override
    public String streamContentType() {
        throw new IllegalStateException("no stream is in YAML");
    }

    @Override
    public byte[] document(TypeMeta type, byte[] json) {
        RequestMemory.current().compute(json.length);
        RequestMemory.current().hold(heap(json));
        try {
            return dump(JSON.readTree(json)).getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("a document of the server's own is JSON", e);
        }
    }

    /** Encodes object by object, as the tree of a whole list would be many times as large as its text. */
    @Override
    public Body list(ServedList list) {
        // Rejected before anything is sent: later no object takes more than this.
        RequestMemory.current().hold(list.most(YamlRepresentation::heap));
        Body yaml = out -> write(list, out);
        return list.isLarge() ? yaml : Body.of(yaml.bytes());
    }

    private static void write(ServedList list, OutputStream out) throws IOException {
        JsonList.append(out, "apiVersion: " + list.type().apiVersion() + "\n");
        JsonList.append(out, list.items().isEmpty() ? "items: []\n" : "items:\n");
        for (ServedObject object : list.items()) {
            byte[] json = object.item();
            RequestMemory.current().hold(heap(json));
            ObjectNode item = (ObjectNode) JSON.readTree(json);
            if (list.type().isCustom()) {
                item.put("apiVersion", list.type().apiVersion())
                        .put("kind", list.type().kind());
            }
            JsonList.append(out, dump(JSON.createArrayNode().add(item)));
        }
        JsonList.append(out, "kind: " + list.type().kind() + "List\n");
        JsonList.append(out, dump(JSON.readTree("{\"metadata\":" + JsonList.metadata(list) + "}")));
    }

    @Override
    byte[] frame(String event, byte[] encoded) {
        throw new IllegalStateException("no stream is in YAML");
    }

    /** Returns the memory of the values, their nodes, and the indented text. */
    private static long heap(byte[] json) {
        return 3 * (TreeSize.of(json) + TreeSize.indentation(json));
    }

    private static String dump(JsonNode document) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(0);
        options.setSplitLines(false);
        options.setNonPrintableStyle(DumperOptions.NonPrintableStyle.ESCAPE);
        PERMITS.acquireUninterruptibly();
        try {
            return new Yaml(new Quoting(options), options).dump(document);
        } finally {
            PERMITS.release();
        }
    }

    /** Quotes strings that a YAML parser of any version could interpret as another type. */
    private static final class Quoting extends Representer {
        private static final Pattern DOUBTFUL = Pattern.compile("[-+.0-9~].*|[yYnN]", Pattern.DOTALL);

        Quoting(DumperOptions options) {
            super(options);
            multiRepresenters.put(JsonNode.class, this::node);
        }

        private Node node(Object data) {
            JsonNode value = (JsonNode) data;
            return switch (value.getNodeType()) {
                case OBJECT -> {
                    var sorted = new TreeMap<String, JsonNode>();
                    value.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
                    yield representMapping(Tag.MAP, sorted, DumperOptions.FlowStyle.AUTO);
                }
                case ARRAY -> representSequence(Tag.SEQ, value, DumperOptions.FlowStyle.AUTO);
                case STRING -> text(value.textValue());
                case NUMBER -> representScalar(value.isIntegralNumber() ? Tag.INT : Tag.FLOAT, value.asText());
                case BOOLEAN -> representScalar(Tag.BOOL, value.asText());
                case NULL, BINARY, MISSING, POJO -> representScalar(Tag.NULL, "null");
            };
        }

        private Node text(String text) {
            return representScalar(
                    Tag.STR,
                    text,
                    DOUBTFUL.matcher(text).matches()
                            ? DumperOptions.ScalarStyle.DOUBLE_QUOTED
                            : DumperOptions.ScalarStyle.PLAIN);
        }
    }
}
