package io.plat.cli.server;

import io.plat.cli.server.ReviewAnswer.NoReviewException;
import io.plat.review.UserInfo;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Identity of the caller, from {@code selfsubjectreviews} of the authentication group. */
public final class CurrentUser {
    private static final String API_VERSION = "authentication.k8s.io/v1";
    private static final String KIND = "SelfSubjectReview";
    private static final String PATH = "/apis/" + API_VERSION + "/selfsubjectreviews";

    private CurrentUser() {}

    /** Returns the caller's user name and groups. */
    public static UserInfo at(HttpsConnection server) {
        return review(server, Map.of()).value();
    }

    /**
     * Returns the caller's user name and groups, with the whole response.
     *
     * @param fields additional headers, such as those for impersonation
     * @throws io.plat.cli.process.CommandException if the server refuses
     */
    public static DecodedResponse<UserInfo> review(HttpsConnection server, Map<String, List<String>> fields) {
        String requested = "{\"kind\":\"" + KIND + "\",\"apiVersion\":\"" + API_VERSION + "\"}";
        return server.read(server.post(PATH, requested.getBytes(StandardCharsets.UTF_8), fields), CurrentUser::read);
    }

    private static UserInfo read(byte[] answer) throws NoReviewException {
        Map<?, ?> status = ReviewAnswer.status(answer, KIND, API_VERSION);
        String where = "status.userInfo";
        Map<?, ?> user = status.containsKey("userInfo") ? ReviewAnswer.object(where, status.get("userInfo")) : Map.of();
        String name =
                user.containsKey("username") ? ReviewAnswer.string(where + ".username", user.get("username")) : "";
        String uid = user.containsKey("uid") ? ReviewAnswer.string(where + ".uid", user.get("uid")) : "";
        List<String> groups = ReviewAnswer.strings(where + ".groups", user.get("groups"));
        Map<String, List<String>> extra = new HashMap<>();
        if (user.get("extra") != null) {
            for (Map.Entry<?, ?> one :
                    ReviewAnswer.object(where + ".extra", user.get("extra")).entrySet()) {
                extra.put(String.valueOf(one.getKey()), ReviewAnswer.strings(where + ".extra", one.getValue()));
            }
        }
        if (name.isEmpty()) {
            throw new NoReviewException(where + ".username: missing from the answer");
        }
        return new UserInfo(name, uid, groups, extra);
    }
}
