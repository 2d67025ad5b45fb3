package io.plat.review.codec;

import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Codec of SelfSubjectReview of the authentication group: the user that a server sees. */
public final class SelfReviewCodec {
    private static final String KIND = "SelfSubjectReview";
    private static final String API_VERSION = "authentication.k8s.io/v1";
    /** Path at which servers answer. */
    public static final String PATH = "/apis/" + API_VERSION + "/selfsubjectreviews";

    private static final MemberNames STATUS = MemberNames.of("userInfo");
    private static final MemberNames USER = MemberNames.of("username", "uid", "groups", "extra");

    private SelfReviewCodec() {}

    /**
     * Checks a client's review; some clients leave the body empty.
     *
     * @throws StatusException 400 if it is malformed or of another kind, 413 if it is too large
     */
    public static void check(byte[] body) throws StatusException {
        if (body.length > 0) {
            JsonBody.of(body, ReviewCodec.DEFAULT_MAX_BYTES)
                    .readReview(KIND, API_VERSION, members -> members.json().skipChildren());
        }
    }

    /** Encodes the response. UTF-8. */
    public static byte[] encode(UserInfo user) {
        return ResponseDocument.of(KIND, API_VERSION, json -> {
            json.writeObjectFieldStart("status");
            json.writeObjectFieldStart("userInfo");
            json.writeStringField("username", user.name());
            ResponseDocument.strings("groups", user.groups(), json);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** Encodes the review as a client sends it. */
    public static byte[] encodeRequest() {
        return ResponseDocument.written(json -> {
            json.writeStringField("kind", KIND);
            json.writeStringField("apiVersion", API_VERSION);
        });
    }

    /**
     * Decodes the user of a server's response.
     *
     * @throws MalformedResponseException unless the body is such a review, with a user name
     */
    public static UserInfo decodeResponse(byte[] body) throws MalformedResponseException {
        return ResponseReader.read(body, ReviewCodec.DEFAULT_MAX_BYTES, KIND, API_VERSION, SelfReviewCodec::status);
    }

    private static UserInfo status(Members members) throws IOException, StatusException {
        @Nullable UserInfo user = null;
        Members.Known known = members.known(STATUS);
        while (known.next() != null) {
            user = members.object() ? user(members) : null;
        }
        if (user == null || user.name().isEmpty()) {
            throw ResponseReader.missing("status.userInfo.username");
        }
        return user;
    }

    private static UserInfo user(Members members) throws IOException, StatusException {
        String user = "";
        String uid = "";
        List<String> groups = List.of();
        Map<String, List<String>> extra = Map.of();
        Members.Known known = members.known(USER);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "username" -> user = members.string();
                case "uid" -> uid = members.string();
                case "extra" -> extra = SpecReader.extra(members);
                default -> groups = members.strings();
            }
        }
        return new UserInfo(user, uid, groups, extra);
    }
}
