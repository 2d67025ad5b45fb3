package io.plat.decider;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.plat.review.UserInfo;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.eclipse.jetty.server.Request;

/** Handler of {@code selfsubjectreviews} of the authentication group, which responds with the user of the client's certificate. */
final class SelfSubjectReviews {
    static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private static final String API_VERSION = "authentication.k8s.io/v1";
    private static final String KIND = "SelfSubjectReview";
    private static final JsonFactory JSON = JsonFactories.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxStringLength(1 << 16)
                    .maxNameLength(1 << 10)
                    .build())
            .build();

    private SelfSubjectReviews() {}

    /**
     * Answers a review.
     *
     * @throws StatusException if the body is not one, or the client has no name
     */
    static PolicyExchange.Reply answer(byte[] body, Request request) throws StatusException {
        checkBody(body);
        UserInfo user = ClientIdentity.of(request).user();
        if (user.name().isEmpty()) {
            throw new StatusException(ReviewExchange.NAMELESS);
        }
        return new PolicyExchange.Reply.Whole(encode(user));
    }

    /** Checks the body, which some clients leave empty. */
    private static void checkBody(byte[] body) throws StatusException {
        if (body.length == 0) {
            return;
        }
        try (JsonParser json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw malformed("expected a " + KIND);
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                checkMember(name, json);
                json.skipChildren();
            }
            if (json.nextToken() != null) {
                throw malformed("unexpected content after the " + KIND);
            }
        } catch (JsonProcessingException broken) {
            throw malformed("the body is not valid JSON");
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory", impossible);
        }
    }

    private static void checkMember(String name, JsonParser json) throws IOException, StatusException {
        String expected = switch (name) {
            case "kind" -> KIND;
            case "apiVersion" -> API_VERSION;
            default -> "";
        };
        String text = json.getText();
        if (!expected.isEmpty() && !text.isEmpty() && !text.equals(expected)) {
            throw malformed(name + " " + Quoted.of(text) + " is wrong, expected \"" + expected + "\"");
        }
    }

    private static StatusException malformed(String message) {
        return new StatusException(StatusReason.BAD_REQUEST, message);
    }

    private static byte[] encode(UserInfo user) {
        return ResponseDocument.of(KIND, API_VERSION, json -> {
            json.writeObjectFieldStart("status");
            json.writeObjectFieldStart("userInfo");
            json.writeStringField("username", user.name());
            json.writeArrayFieldStart("groups");
            for (String group : user.groups()) {
                json.writeString(group);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        });
    }
}
