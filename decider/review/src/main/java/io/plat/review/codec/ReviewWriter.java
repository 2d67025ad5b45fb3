package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes reviews. Members stand in the order in which existing servers write them; empty ones are left out. */
final class ReviewWriter {
    private final JsonGenerator json;

    private ReviewWriter(JsonGenerator json) {
        this.json = json;
    }

    static void writeAnswer(AccessReview review, ReviewStatus status, OutputStream out) throws IOException {
        writeAnswer(review, json -> status(status, json), out);
    }

    /** Writes the members of an answer's status. */
    @FunctionalInterface
    interface StatusMembers {
        void write(JsonGenerator json) throws IOException;
    }

    static void writeAnswer(AccessReview review, StatusMembers status, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            ReviewWriter writer = new ReviewWriter(json);
            writer.begin(review.kind(), review.version());
            AnswerDocument.object("metadata", metadata -> metadata.writeNullField("creationTimestamp"), json);
            writer.spec(review.version(), review.user(), review.access());
            json.writeObjectFieldStart("status");
            status.write(json);
            json.writeEndObject();
            json.writeEndObject();
        }
    }

    static void writeQuestion(AccessReview review, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            ReviewWriter writer = new ReviewWriter(json);
            writer.begin(review.kind(), review.version());
            writer.spec(review.version(), review.user(), review.access());
            json.writeEndObject();
        }
    }

    static void writeSpec(ReviewVersion version, Attributes asked, JsonGenerator json) throws IOException {
        new ReviewWriter(json).spec(version, asked.user(), asked.access());
    }

    private static JsonGenerator generator(OutputStream out) throws IOException {
        return Body.JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    }

    private void begin(ReviewKind kind, ReviewVersion version) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", kind.kind());
        json.writeStringField("apiVersion", version.apiVersion());
    }

    private void spec(ReviewVersion version, @Nullable UserInfo user, AccessAttributes access) throws IOException {
        json.writeObjectFieldStart("spec");
        switch (access) {
            case ResourceAttributes resource -> resource(resource);
            case NonResourceAttributes nonResource -> nonResource(nonResource);
        }
        if (user != null) {
            string("user", user.name());
            strings(version.groupsField(), user.groups());
            if (!user.extra().isEmpty()) {
                extra(user.extra());
            }
            string("uid", user.uid());
        }
        json.writeEndObject();
    }

    private void resource(ResourceAttributes resource) throws IOException {
        json.writeObjectFieldStart("resourceAttributes");
        string("namespace", resource.namespace());
        string("verb", resource.verb());
        string("group", resource.group());
        string("version", resource.version());
        string("resource", resource.resource());
        string("subresource", resource.subresource());
        string("name", resource.name());
        selector("fieldSelector", resource.fieldSelector());
        selector("labelSelector", resource.labelSelector());
        json.writeEndObject();
    }

    private void nonResource(NonResourceAttributes nonResource) throws IOException {
        json.writeObjectFieldStart("nonResourceAttributes");
        string("path", nonResource.path());
        string("verb", nonResource.verb());
        json.writeEndObject();
    }

    private void selector(String name, @Nullable SelectorAttributes selector) throws IOException {
        if (selector == null) {
            return;
        }
        json.writeObjectFieldStart(name);
        string("rawSelector", selector.rawSelector());
        if (!selector.requirements().isEmpty()) {
            json.writeArrayFieldStart("requirements");
            for (Requirement requirement : selector.requirements()) {
                json.writeStartObject();
                // Not optional in the field's form, so written even where empty.
                json.writeStringField("key", JsonText.wellFormed(requirement.key()));
                json.writeStringField("operator", JsonText.wellFormed(requirement.operator()));
                strings("values", requirement.values());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** Keys are sorted, so that equal reviews are equal bytes. */
    private void extra(Map<String, List<String>> extra) throws IOException {
        String[] keys = extra.keySet().toArray(String[]::new);
        Arrays.sort(keys);
        json.writeObjectFieldStart("extra");
        for (String key : keys) {
            AnswerDocument.strings(JsonText.wellFormed(key), extra.getOrDefault(key, List.of()), json);
        }
        json.writeEndObject();
    }

    private static void status(ReviewStatus status, JsonGenerator json) throws IOException {
        json.writeBooleanField("allowed", status.allowed());
        if (status.denied()) {
            json.writeBooleanField("denied", true);
        }
        string("reason", status.reason(), json);
        string("evaluationError", status.evaluationError(), json);
    }

    private void string(String name, String value) throws IOException {
        string(name, value, json);
    }

    private static void string(String name, String value, JsonGenerator json) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }

    private void strings(String name, List<String> values) throws IOException {
        if (!values.isEmpty()) {
            AnswerDocument.strings(name, values, json);
        }
    }
}
