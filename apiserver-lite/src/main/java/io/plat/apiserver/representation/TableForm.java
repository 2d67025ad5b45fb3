package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Objects as the rows of a table ({@code Table}), which is what kubectl prints. In a stream only the first table names its
 * columns, so that an instance belongs to one request.
 */
final class TableForm extends Representation {
    static final String KIND = "Table";

    private static final JsonFactory JSON = JsonFactories.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());

    /** The part of its object that a row holds beside the cells. */
    enum Included {
        NONE,
        METADATA,
        OBJECT
    }

    private final TypeMeta table;
    private final TypeMeta partial;
    private final Included included;
    private final InstantSource clock;
    private boolean columnsNamed;

    /**
     * A form for one request.
     *
     * @param apiVersion of the table's own kind
     * @param clock the time to which ages are counted
     */
    TableForm(Encoding encoding, String apiVersion, Included included, InstantSource clock) {
        super(encoding);
        this.table = new TypeMeta(apiVersion, KIND);
        this.partial = new TypeMeta(apiVersion, MetadataForm.KIND);
        this.included = included;
        this.clock = clock;
    }

    @Override
    public boolean stateful() {
        return true;
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        String version = object.revision() > 0 ? "\"resourceVersion\":\"" + object.revision() + "\"" : "";
        Body whole = table(
                object.type(), "{" + version + "}", json -> row(json, object.type(), object.tree(), included(object)));
        return encoding.encode(table, whole.bytes());
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        Body whole = table(list.type(), JsonList.metadata(list), json -> {
            for (ServedObject object : list.items()) {
                row(json, list.type(), object.tree(), included(object));
            }
        });
        return encoding.isPlainJson() && list.isLong() ? whole : Body.of(encoding.encode(table, whole.bytes()));
    }

    @Override
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        byte[] object = onlyMetadata(new TypeMeta(type.apiVersion(), type.kind()), metadata);
        byte[] shown = switch (included) {
            case NONE -> new byte[0];
            case METADATA -> onlyMetadata(partial, metadata);
            case OBJECT -> object;
        };
        Body whole = table(type, metadata, json -> row(json, type, MAPPER.readTree(object), shown));
        return encoding.encode(table, whole.bytes());
    }

    private byte[] included(ServedObject object) {
        return switch (included) {
            case NONE -> new byte[0];
            case METADATA -> MetadataForm.json(partial, object);
            case OBJECT -> object.json();
        };
    }

    /** Writes the rows of a table. */
    private interface Rows {
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * A table as JSON.
     *
     * @param type the type whose objects are shown
     * @param metadata the table's own, as JSON
     */
    private Body table(ResourceType type, String metadata, Rows rows) {
        boolean naming = !columnsNamed;
        columnsNamed = true;
        return out -> {
            // Not closed where it fails: what it still holds belongs to an answer that nobody gets.
            JsonGenerator json = JSON.createGenerator(out);
            json.writeStartObject();
            json.writeStringField("kind", KIND);
            json.writeStringField("apiVersion", table.apiVersion());
            json.writeFieldName("metadata");
            json.writeRawValue(metadata);
            json.writeFieldName("columnDefinitions");
            if (naming) {
                columns(json, type);
            } else {
                json.writeNull();
            }
            json.writeArrayFieldStart("rows");
            rows.write(json);
            json.writeEndArray();
            json.writeEndObject();
            json.close();
        };
    }

    private static void columns(JsonGenerator json, ResourceType type) throws IOException {
        json.writeStartArray();
        for (Column column : type.columns()) {
            json.writeStartObject();
            json.writeStringField("name", column.name());
            json.writeStringField("type", column.type());
            json.writeStringField("format", column.format());
            json.writeStringField("description", column.description());
            json.writeNumberField("priority", column.priority());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void row(JsonGenerator json, ResourceType type, JsonNode object, byte[] shown) throws IOException {
        Instant now = clock.instant();
        json.writeStartObject();
        json.writeArrayFieldStart("cells");
        List<Object> cells = Cells.of(type, object, now);
        for (Object cell : cells) {
            cell(json, cell);
        }
        json.writeEndArray();
        if (type.storage().equals("pods")) {
            completion(json, object.at("/status/phase").asText(""));
        }
        json.writeFieldName("object");
        if (shown.length == 0) {
            json.writeNull();
        } else {
            json.writeRawValue(new String(shown, StandardCharsets.UTF_8));
        }
        json.writeEndObject();
    }

    private static void cell(JsonGenerator json, Object cell) throws IOException {
        switch (cell) {
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case Optional<?> nothing -> json.writeNull();
            default -> json.writeString(cell.toString());
        }
    }

    /** A pod that has ended, well or not, is told apart from those that run. */
    private static void completion(JsonGenerator json, String phase) throws IOException {
        String message = switch (phase) {
            case "Succeeded" -> "The pod has completed successfully.";
            case "Failed" -> "The pod failed.";
            default -> "";
        };
        if (!message.isEmpty()) {
            json.writeArrayFieldStart("conditions");
            json.writeStartObject();
            json.writeStringField("type", "Completed");
            json.writeStringField("status", "True");
            json.writeStringField("reason", phase);
            json.writeStringField("message", message);
            json.writeEndObject();
            json.writeEndArray();
        }
    }
}
