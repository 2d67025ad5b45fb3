package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.Authentication;
import io.plat.apiserver.authentication.BearerTokens;
import io.plat.apiserver.filter.AuthenticationFilter;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * {@code tokenreviews}: tells another server whose token it was shown, as this one would believe it. A token that is not good is a
 * success of the request; why it is not is told, but for the token itself. One that can't be judged now is neither: 503.
 */
final class TokenReviewEndpoint {
    private final Bodies bodies;
    private final BearerTokens tokens;

    TokenReviewEndpoint(Bodies bodies, BearerTokens tokens) {
        this.bodies = bodies;
        this.tokens = tokens;
    }

    Answer answer(Call call, ResourceType type) throws StatusException {
        TypeMeta meta = new TypeMeta(type.apiVersion(), type.kind());
        DocumentAnswer answer = DocumentAnswer.to(call, meta);
        VirtualBody sent = VirtualBody.read(bodies.json(call, type), meta);
        String token = sent.text("spec.token");
        List<String> wanted = sent.texts("spec.audiences");
        if (token.isEmpty()) {
            throw Failures.badRequest("token is required for TokenReview in authentication");
        }
        ObjectNode review =
                JsonNodeFactory.instance.objectNode().put("kind", type.kind()).put("apiVersion", type.apiVersion());
        review.putObject("metadata").putNull("creationTimestamp");
        ObjectNode spec = review.putObject("spec").put("token", token);
        if (!wanted.isEmpty()) {
            texts(spec, wanted);
        }
        judge(token, wanted.isEmpty() ? tokens.audiences() : wanted, review.putObject("status"));
        return answer.of(201, review);
    }

    private void judge(String token, List<String> wanted, ObjectNode status) throws StatusException {
        switch (tokens.review(token, wanted)) {
            case Authentication.Authenticated proven -> {
                status.put("authenticated", true);
                UserInfoJson.write(proven.user(), status.putObject("user"));
                texts(status, proven.audiences());
            }
            case Authentication.Refused refused -> {
                status.put("authenticated", false);
                status.putObject("user");
                status.put("error", refused.reason());
            }
            case Authentication.Undecided _ -> throw new StatusException(AuthenticationFilter.UNDECIDED);
            case Authentication.Absent _ -> throw new IllegalStateException("a token that was shown is not absent");
        }
    }

    private static void texts(ObjectNode into, List<String> audiences) {
        ArrayNode array = into.putArray("audiences");
        audiences.forEach(array::add);
    }
}
