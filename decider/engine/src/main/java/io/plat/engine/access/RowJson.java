package io.plat.engine.access;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import java.io.IOException;
import java.util.List;

/** Writes rows of accesses for programs (contract, "plat"): one object for each namespace, as that is one value there. */
public final class RowJson {
    private RowJson() {}

    /** Writes a subject's row. */
    public static void write(SubjectName who, AccessRow row, JsonGenerator json) throws IOException {
        List<String> namespaces = row.kept().namespaces();
        for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
            json.writeStartObject();
            json.writeFieldName("subject");
            write(who, json);
            columns(row.kept(), json);
            json.writeStringField("namespace", JsonText.wellFormed(namespace));
            if (!row.except().isEmpty()) {
                json.writeObjectFieldStart("except");
                except(row.except(), json);
                json.writeEndObject();
            }
            json.writeEndObject();
        }
    }

    /** Writes a subject as an object, by the names of a SubjectListing. */
    public static void write(SubjectName who, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", who.kind().word());
        json.writeStringField("name", JsonText.wellFormed(who.name()));
        if (!who.namespace().isEmpty()) {
            json.writeStringField("namespace", JsonText.wellFormed(who.namespace()));
        }
        if (!who.inGroup().isEmpty()) {
            json.writeStringField("inGroup", JsonText.wellFormed(who.inGroup()));
        }
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            json.writeBooleanField("everybody", true);
        }
        json.writeEndObject();
    }

    /** Writes the members of a row, all its namespaces in one list. */
    public static void members(AccessRow row, JsonGenerator json) throws IOException {
        columns(row.kept(), json);
        strings("namespaces", row.kept().namespaces(), json);
        if (!row.except().isEmpty()) {
            json.writeObjectFieldStart("except");
            except(row.except(), json);
            json.writeEndObject();
        }
    }

    private static void columns(AccessRow.Columns columns, JsonGenerator json) throws IOException {
        strings("verbs", columns.verbs(), json);
        strings("apiGroups", columns.apiGroups(), json);
        strings("resources", columns.resources(), json);
        strings("resourceNames", columns.resourceNames(), json);
        strings("nonResourceURLs", columns.nonResourceUrls(), json);
    }

    /** What nothing is excepted of is left out. */
    private static void except(AccessRow.Columns columns, JsonGenerator json) throws IOException {
        given("verbs", columns.verbs(), json);
        given("apiGroups", columns.apiGroups(), json);
        given("resources", columns.resources(), json);
        given("resourceNames", columns.resourceNames(), json);
        given("nonResourceURLs", columns.nonResourceUrls(), json);
        given("namespaces", columns.namespaces(), json);
    }

    private static void given(String name, List<String> values, JsonGenerator json) throws IOException {
        if (!values.isEmpty()) {
            strings(name, values, json);
        }
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(JsonText.wellFormed(value));
        }
        json.writeEndArray();
    }
}
