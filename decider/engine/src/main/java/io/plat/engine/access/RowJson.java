package io.plat.engine.access;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Writer of rows of accesses as JSON (contract, "plat"), with one object per namespace. */
public final class RowJson {
    private RowJson() {}

    public static void write(SubjectName subject, AccessRow row, JsonGenerator json) throws IOException {
        SequencedMap<String, List<String>> fields = row.kept().byField();
        List<String> namespaces = fields.pollLastEntry().getValue();
        for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
            json.writeStartObject();
            json.writeFieldName("subject");
            write(subject, json);
            write(fields, json);
            json.writeStringField("namespace", JsonText.wellFormed(namespace));
            except(row, json);
            json.writeEndObject();
        }
    }

    /** Writes a subject as an object, with the member names of a SubjectListing. */
    public static void write(SubjectName subject, JsonGenerator json) throws IOException {
        json.writeStartObject();
        ResponseDocument.subject(subject, json);
        json.writeEndObject();
    }

    /** Writes the members of a row, all its namespaces in one list. */
    public static void members(AccessRow row, JsonGenerator json) throws IOException {
        write(row.kept().byField(), json);
        except(row, json);
    }

    /** Writes the exceptions; columns without exceptions are omitted. */
    private static void except(AccessRow row, JsonGenerator json) throws IOException {
        if (!row.except().isEmpty()) {
            SequencedMap<String, List<String>> fields = row.except().byField();
            fields.values().removeIf(List::isEmpty);
            json.writeObjectFieldStart("except");
            write(fields, json);
            json.writeEndObject();
        }
    }

    private static void write(SequencedMap<String, List<String>> fields, JsonGenerator json) throws IOException {
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            ResponseDocument.strings(field.getKey(), field.getValue(), json);
        }
    }
}
