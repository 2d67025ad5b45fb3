package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.memory.ChargedBytes;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Column;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Table representation ({@code Table}), which kubectl prints. In a stream only the first table has column definitions, so an instance
 * belongs to one request.
 */
final class TableRepresentation extends TransformedRepresentation {
    static final String KIND = "Table";

    private static final JsonFactory JSON = JsonFactories.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }

    private final TypeMeta table;
    private final TypeMeta partial;
    private final IncludeObject included;
    private final InstantSource clock;
    private boolean columnsNamed;

    /** @param apiVersion apiVersion of the table kind */
    TableRepresentation(Representation format, String apiVersion, IncludeObject included, InstantSource clock) {
        super(format);
        this.table = new TypeMeta(apiVersion, KIND);
        this.partial = new TypeMeta(apiVersion, MetadataRepresentation.KIND);
        this.included = included;
        this.clock = clock;
    }

    @Override
    public boolean stateful() {
        return true;
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return document(table, one(object).bytes());
    }

    @Override
    public Body answer(ServedObject object) throws StatusException {
        return document(table, one(object), object.isLarge());
    }

    private Body one(ServedObject object) {
        String version = object.revision() > 0 ? "\"resourceVersion\":\"" + object.revision() + "\"" : "";
        return table(object.type(), "{" + version + "}", rows -> row(rows, object));
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        // Rejected before anything is sent: later no object takes more than this.
        RequestMemory.current().hold(list.most(TreeSize::of));
        // Tables of types without columns of their own have null rows then, as in kube-apiserver.
        boolean none = list.items().isEmpty()
                && list.type().form() == null
                && list.type().columns().getLast().name().equals("Created At");
        Body body = table(
                list.type(),
                JsonList.metadata(list),
                none
                        ? null
                        : rows -> {
                            for (ServedObject object : list.items()) {
                                row(rows, object);
                            }
                        });
        return document(table, body, list.isLarge());
    }

    @Override
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        byte[] object = onlyMetadata(typeOf(type), metadata);
        byte[] shown = switch (included) {
            case NONE -> NULL;
            case METADATA -> onlyMetadata(partial, metadata);
            case OBJECT -> object;
        };
        Body body = table(type, metadata, rows -> {
            cells(rows.json, type, Json.STORED.readTree(object));
            rows.object(out -> out.write(shown));
        });
        return document(table, body.bytes());
    }

    private void row(Rows rows, ServedObject object) throws IOException {
        cells(rows.json, object);
        rows.object(out -> {
            switch (included) {
                case NONE -> out.write(NULL);
                case METADATA -> MetadataRepresentation.write(partial, object, out);
                case OBJECT -> object.writeTo(out);
            }
        });
    }

    private interface RowWriter {
        void write(Rows rows) throws IOException;
    }

    /**
     * Rows of a table. The output of the generator is buffered, and charged before it is allocated, so that only cells are in memory while
     * a write waits.
     */
    private static final class Rows {
        private final ChargedBytes pending = new ChargedBytes(1024);
        final JsonGenerator json;
        private final OutputStream out;

        Rows(OutputStream out) throws IOException {
            this.json = JSON.createGenerator(pending);
            this.out = out;
        }

        /** Writes the object of the current row, bypassing the generator, and ends the row. */
        void object(Body object) throws IOException {
            json.writeFieldName("object");
            json.writeRawValue("");
            drain();
            object.writeTo(out);
            json.writeEndObject();
        }

        private void drain() throws IOException {
            json.flush();
            RequestMemory.current().hold(pending.size());
            pending.writeTo(out);
            pending.reset();
        }
    }

    /**
     * Returns a table as JSON.
     *
     * @param writer null for no rows at all
     */
    private Body table(ResourceType type, String metadata, @Nullable RowWriter writer) {
        boolean naming = !columnsNamed;
        columnsNamed = true;
        return out -> {
            // Not closed on failure: the rest belongs to an aborted response.
            Rows rows = new Rows(out);
            JsonGenerator json = rows.json;
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
            if (writer == null) {
                json.writeNullField("rows");
            } else {
                json.writeArrayFieldStart("rows");
                writer.write(rows);
                json.writeEndArray();
            }
            json.writeEndObject();
            rows.drain();
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

    /** Starts a row. The tree of its object is garbage before anything of the row is sent. */
    private void cells(JsonGenerator json, ServedObject object) throws IOException {
        cells(json, object.type(), object.type().form() == null ? object.stored() : object.tree());
    }

    private void cells(JsonGenerator json, ResourceType type, JsonNode object) throws IOException {
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

    /** Writes the condition that marks completed pods. */
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
