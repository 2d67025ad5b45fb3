package io.plat.cli.convert;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Role objects as manifests.
 *
 * @param objects in the order in which they are written
 */
public record Manifests(List<RbacObject> objects) implements Converted.Document {
    private static final String VERSION = ApiGroups.RBAC + "/v1";

    public Manifests {
        objects = List.copyOf(objects);
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (RbacObject object : objects) {
            byte[] json = JsonAnswer.of(out -> write(object, out));
            try {
                text.append(text.isEmpty() ? "" : "---\n").append(JsonDocument.print(json, OutputFormat.YAML));
            } catch (IOException e) {
                throw new UncheckedIOException("reading what was just written", e);
            }
        }
        return text.toString();
    }

    @Override
    public byte[] json() {
        return JsonAnswer.of(json -> {
            json.writeStartObject();
            json.writeStringField("apiVersion", "v1");
            json.writeStringField("kind", "List");
            json.writeArrayFieldStart("items");
            for (RbacObject object : objects) {
                write(object, json);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void write(RbacObject object, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("apiVersion", VERSION);
        json.writeStringField("kind", object.key().kind().kind());
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", object.key().name());
        if (!object.key().namespace().isEmpty()) {
            json.writeStringField("namespace", object.key().namespace());
        }
        json.writeEndObject();
        switch (object) {
            case RbacRole role -> rules(role.rules(), json);
            case RbacBinding binding -> binding(binding, json);
        }
        json.writeEndObject();
    }

    private static void rules(List<RbacRule> rules, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("rules");
        for (RbacRule rule : rules) {
            json.writeStartObject();
            strings("apiGroups", rule.apiGroups(), json);
            strings("resources", rule.resources(), json);
            strings("resourceNames", rule.resourceNames(), json);
            strings("nonResourceURLs", rule.nonResourceUrls(), json);
            strings("verbs", rule.verbs(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        if (values.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    private static void binding(RbacBinding binding, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("subjects");
        for (RbacSubject subject : binding.subjects()) {
            json.writeStartObject();
            json.writeStringField("kind", subject.kind());
            if (!subject.kind().equals(RbacSubject.SERVICE_ACCOUNT)) {
                json.writeStringField("apiGroup", ApiGroups.RBAC);
            }
            json.writeStringField("name", subject.name());
            if (!subject.namespace().isEmpty()) {
                json.writeStringField("namespace", subject.namespace());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeObjectFieldStart("roleRef");
        json.writeStringField("apiGroup", ApiGroups.RBAC);
        json.writeStringField("kind", binding.roleRef().kind());
        json.writeStringField("name", binding.roleRef().name());
        json.writeEndObject();
    }
}
