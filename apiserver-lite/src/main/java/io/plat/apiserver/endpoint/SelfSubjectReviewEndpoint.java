package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

/** {@code selfsubjectreviews}: tells whoever asks as whom the server sees them. */
final class SelfSubjectReviewEndpoint {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Bodies bodies;
    private final InstantSource clock;

    SelfSubjectReviewEndpoint(Bodies bodies, InstantSource clock) {
        this.bodies = bodies;
        this.clock = clock;
    }

    Answer answer(Call call, ResourceType type) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, new TypeMeta(type.apiVersion(), type.kind()));
        requireReview(bodies.json(call, type), type);
        ObjectNode review =
                JsonNodeFactory.instance.objectNode().put("kind", type.kind()).put("apiVersion", type.apiVersion());
        review.putObject("metadata")
                .put(
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        describe(call.user(), review.putObject("status").putObject("userInfo"));
        return answer.of(201, review);
    }

    /** The body says nothing that matters, but it has to be one of these reviews. */
    private static void requireReview(byte[] body, ResourceType type) throws StatusException {
        JsonNode sent;
        try {
            sent = MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw Failures.badRequest("the object provided is unrecognized (must be of type " + type.kind() + ")");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
        if (!sent.isObject()
                || !sent.path("kind").asText(type.kind()).equals(type.kind())
                || !sent.path("apiVersion").asText(type.apiVersion()).equals(type.apiVersion())) {
            throw Failures.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + " in version \"" + type.apiVersion() + "\")");
        }
    }

    private static void describe(UserInfo user, ObjectNode into) {
        into.put("username", user.name());
        if (!user.uid().isEmpty()) {
            into.put("uid", user.uid());
        }
        if (!user.groups().isEmpty()) {
            ArrayNode groups = into.putArray("groups");
            user.groups().forEach(groups::add);
        }
        if (!user.extra().isEmpty()) {
            ObjectNode extra = into.putObject("extra");
            new TreeMap<>(user.extra()).forEach((key, values) -> {
                ArrayNode array = extra.putArray(key);
                values.forEach(array::add);
            });
        }
    }
}
