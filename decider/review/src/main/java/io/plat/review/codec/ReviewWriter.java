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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writer of reviews. Members have Kubernetes' order; empty ones are omitted. */
record ReviewWriter(JsonGenerator json) {
    /** Writes the members of the response to a review. */
    static void answer(AccessReview review, ResponseDocument.Content status, JsonGenerator json) throws IOException {
        String namespace = review.kind() == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW
                        && review.access() instanceof ResourceAttributes resource
                ? resource.namespace()
                : "";
        ResponseDocument.begin(review.kind().kind(), review.version().apiVersion(), namespace, json);
        new ReviewWriter(json).spec(review.version(), review.user(), review.access());
        ResponseDocument.object("status", status, json);
    }

    /** Writes the members of a review as a client sends it. */
    static void request(AccessReview review, JsonGenerator json) throws IOException {
        json.writeStringField("kind", review.kind().kind());
        json.writeStringField("apiVersion", review.version().apiVersion());
        new ReviewWriter(json).spec(review.version(), review.user(), review.access());
    }

    static void writeSpec(ReviewVersion version, Attributes request, JsonGenerator json) throws IOException {
        new ReviewWriter(json).spec(version, request.user(), request.access());
    }

    private void spec(ReviewVersion version, @Nullable UserInfo user, AccessAttributes access) throws IOException {
        json.writeObjectFieldStart("spec");
        switch (access) {
            case ResourceAttributes resource -> resource(resource);
            case NonResourceAttributes path -> {
                json.writeObjectFieldStart("nonResourceAttributes");
                ResponseDocument.texts(SpecReader.PATH, json, path.path(), path.verb());
                json.writeEndObject();
            }
        }
        if (user != null) {
            user(user, version.groupsField());
        }
        json.writeEndObject();
    }

    /** Writes the members of a spec that name a user. */
    static void writeUser(UserInfo user, String groupsField, JsonGenerator json) throws IOException {
        new ReviewWriter(json).user(user, groupsField);
    }

    private void user(UserInfo user, String groupsField) throws IOException {
        ResponseDocument.text("user", user.name(), json);
        strings(groupsField, user.groups());
        if (!user.extra().isEmpty()) {
            extra(user.extra());
        }
        ResponseDocument.text("uid", user.uid(), json);
    }

    private void resource(ResourceAttributes resource) throws IOException {
        json.writeObjectFieldStart("resourceAttributes");
        ResponseDocument.texts(
                SpecReader.RESOURCE,
                json,
                resource.namespace(),
                resource.verb(),
                resource.group(),
                resource.version(),
                resource.resource(),
                resource.subresource(),
                resource.name());
        selector("fieldSelector", resource.fieldSelector());
        selector("labelSelector", resource.labelSelector());
        json.writeEndObject();
    }

    private void selector(String name, @Nullable SelectorAttributes selector) throws IOException {
        if (selector == null) {
            return;
        }
        json.writeObjectFieldStart(name);
        ResponseDocument.text("rawSelector", selector.rawSelector(), json);
        if (!selector.requirements().isEmpty()) {
            json.writeArrayFieldStart("requirements");
            for (Requirement requirement : selector.requirements()) {
                json.writeStartObject();
                // Required in Kubernetes' form, so written even if empty.
                ResponseDocument.allTexts(SpecReader.REQUIREMENT, json, requirement.key(), requirement.operator());
                strings("values", requirement.values());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** Writes extra with sorted keys, so that equal reviews are equal bytes. */
    private void extra(Map<String, List<String>> extra) throws IOException {
        String[] keys = extra.keySet().toArray(String[]::new);
        Arrays.sort(keys);
        json.writeObjectFieldStart("extra");
        for (String key : keys) {
            ResponseDocument.strings(JsonText.wellFormed(key), extra.getOrDefault(key, List.of()), json);
        }
        json.writeEndObject();
    }

    static void status(ReviewStatus status, JsonGenerator json) throws IOException {
        json.writeBooleanField("allowed", status.allowed());
        if (status.denied()) {
            json.writeBooleanField("denied", true);
        }
        ResponseDocument.text("reason", status.reason(), json);
        ResponseDocument.text("evaluationError", status.evaluationError(), json);
    }

    private void strings(String name, List<String> values) throws IOException {
        if (!values.isEmpty()) {
            ResponseDocument.strings(name, values, json);
        }
    }
}
