package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.AuthenticationFilter;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;

/** Virtual types of the authentication group. */
record AuthenticationReviews(DocumentResponse.BodyReader bodies, InstantSource clock, BearerTokenAuthenticator tokens) {
    /** Answers {@code selfsubjectreviews} with the authenticated user. The body must be such a review, but its contents are ignored. */
    ApiResponse selfSubject(Call call, ResourceType type) throws StatusException {
        TypeMeta meta = new TypeMeta(type.apiVersion(), type.kind());
        return DocumentResponse.created(call, bodies, type, body -> {
            ObjectNode review = DocumentResponse.empty(meta);
            review.putObject("metadata").put("creationTimestamp", Timestamps.SECONDS.format(clock.instant()));
            write(call.user(), review.putObject("status").putObject("userInfo"));
            return Json.bytes(review);
        });
    }

    /**
     * Answers {@code tokenreviews} with the user of a token. An invalid token gets a successful response with the reason but without the
     * token; one that cannot be checked now gets a 503.
     */
    ApiResponse token(Call call, ResourceType type) throws StatusException {
        TypeMeta meta = new TypeMeta(type.apiVersion(), type.kind());
        return DocumentResponse.created(call, bodies, type, body -> {
            String token = body.text("token");
            List<String> desired = Json.texts(body.object().at("/spec/audiences"));
            if (token.isEmpty()) {
                throw ApiErrors.badRequest("token is required for TokenReview in authentication");
            }
            ObjectNode review = DocumentResponse.empty(meta);
            review.putObject("metadata").setAll(body.metadata());
            ObjectNode spec = review.putObject("spec").put("token", token);
            Json.putTexts(spec, "audiences", desired);
            authenticate(token, desired.isEmpty() ? tokens.audiences() : desired, review.putObject("status"));
            return Json.bytes(review);
        });
    }

    private void authenticate(String token, List<String> desired, ObjectNode status) throws StatusException {
        switch (tokens.review(token, desired)) {
            case Authentication.Authenticated authenticated -> {
                status.put("authenticated", true);
                write(authenticated.user(), status.putObject("user"));
                authenticated.audiences().forEach(status.putArray("audiences")::add);
            }
            case Authentication.Refused refused -> {
                status.putObject("user");
                status.put("error", refused.reason());
            }
            case Authentication.Undecided _ -> throw new StatusException(AuthenticationFilter.UNDECIDED);
            case Authentication.Absent _ -> throw new IllegalStateException("a token that was shown is not absent");
        }
    }

    /** Writes a user as in {@code authentication.k8s.io/v1}. */
    private static void write(UserInfo user, ObjectNode into) {
        into.put("username", user.name());
        if (!user.uid().isEmpty()) {
            into.put("uid", user.uid());
        }
        Json.putTexts(into, "groups", user.groups());
        if (!user.extra().isEmpty()) {
            ObjectNode extra = into.putObject("extra");
            new TreeMap<>(user.extra()).forEach((key, values) -> values.forEach(extra.putArray(key)::add));
        }
    }
}
