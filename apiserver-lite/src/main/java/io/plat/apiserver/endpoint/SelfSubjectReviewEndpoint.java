package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** {@code selfsubjectreviews}: tells whoever asks as whom the server sees them. */
final class SelfSubjectReviewEndpoint {
    private final Bodies bodies;
    private final InstantSource clock;

    SelfSubjectReviewEndpoint(Bodies bodies, InstantSource clock) {
        this.bodies = bodies;
        this.clock = clock;
    }

    Answer answer(Call call, ResourceType type) throws StatusException {
        TypeMeta meta = new TypeMeta(type.apiVersion(), type.kind());
        DocumentAnswer answer = DocumentAnswer.to(call, meta);
        // The body says nothing that matters, but it has to be one of these reviews.
        VirtualBody.read(bodies.json(call, type), meta);
        ObjectNode review =
                JsonNodeFactory.instance.objectNode().put("kind", type.kind()).put("apiVersion", type.apiVersion());
        review.putObject("metadata")
                .put(
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        UserInfoJson.write(call.user(), review.putObject("status").putObject("userInfo"));
        return answer.of(201, review);
    }
}
