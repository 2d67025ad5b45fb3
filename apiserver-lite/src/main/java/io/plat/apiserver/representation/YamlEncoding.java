package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ServedList;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** YAML, keys in alphabetical order as existing servers write them. Streams have no such form. */
final class YamlEncoding implements Encoding {
    static final String TYPE = "application/yaml";

    static final YamlEncoding INSTANCE = new YamlEncoding();

    private static final JsonFactory JSON = JsonFactories.create();

    private YamlEncoding() {}

    @Override
    public String contentType() {
        return TYPE;
    }

    @Override
    public String streamContentType() {
        throw new IllegalStateException("no stream is in YAML");
    }

    @Override
    public byte[] encode(TypeMeta type, byte[] json) {
        hold(json);
        return dump(value(json)).getBytes(StandardCharsets.UTF_8);
    }

    /** Object by object, as the whole list as a tree would be many times as large as its text. */
    @Override
    public Body list(ServedList list) {
        if (list.isLong()) {
            return Body.of(out -> write(list, out));
        }
        var whole = new ByteArrayOutputStream(256 + list.items().size() * 1024);
        try {
            write(list, whole);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return Body.of(whole.toByteArray());
    }

    private static void write(ServedList list, OutputStream out) throws IOException {
        append(out, "apiVersion: " + list.type().apiVersion() + "\n");
        append(out, list.items().isEmpty() ? "items: []\n" : "items:\n");
        for (ServedObject object : list.items()) {
            byte[] json = object.json();
            hold(json);
            append(out, dump(List.of(value(json))));
        }
        append(out, "kind: " + list.type().kind() + "List\n");
        byte[] metadata = ("{\"metadata\":" + JsonList.metadata(list) + "}").getBytes(StandardCharsets.UTF_8);
        append(out, dump(value(metadata)));
    }

    @Override
    public byte[] frame(String event, byte[] encoded) {
        throw new IllegalStateException("no stream is in YAML");
    }

    private static void append(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The values, the nodes that they become, and the text, which is indented. */
    private static void hold(byte[] json) {
        RequestMemory.current().hold(3 * (TreeSize.of(json) + TreeSize.indentation(json)));
    }

    private static String dump(Object document) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(0);
        options.setSplitLines(false);
        options.setNonPrintableStyle(DumperOptions.NonPrintableStyle.ESCAPE);
        return new Yaml(new Quoting(options), options).dump(document);
    }

    /** Quotes what some reader of YAML, of whichever version, could take for something else than text. */
    private static final class Quoting extends Representer {
        private static final Pattern DOUBTFUL = Pattern.compile("[-+.0-9~].*|[yYnN]", Pattern.DOTALL);

        Quoting(DumperOptions options) {
            super(options);
            representers.put(String.class, this::text);
            representers.put(BigDecimal.class, number -> representScalar(Tag.FLOAT, number.toString()));
        }

        private Node text(Object data) {
            String text = (String) data;
            return representScalar(
                    Tag.STR,
                    text,
                    DOUBTFUL.matcher(text).matches()
                            ? DumperOptions.ScalarStyle.DOUBLE_QUOTED
                            : DumperOptions.ScalarStyle.PLAIN);
        }
    }

    private static Object value(byte[] json) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            Object value = value(parser);
            if (value == null) {
                throw new IllegalStateException("a document is not null");
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException("a document of the server's own is JSON", e);
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no value begins with " + parser.currentToken());
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> object = new TreeMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object;
    }

    private static List<@Nullable Object> array(JsonParser parser) throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser));
        }
        return array;
    }
}
