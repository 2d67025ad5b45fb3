package io.plat.cli.review;

import io.plat.review.UserInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A SelfSubjectReview: who am I? */
public final class SelfReview {
    /** Where it is posted. */
    public static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private static final String KIND = "SelfSubjectReview";
    private static final String API_VERSION = "authentication.k8s.io/v1";

    private String name = "";
    private String uid = "";
    private List<String> groups = List.of();
    private final Map<String, List<String>> extra = new HashMap<>();

    private SelfReview() {}

    /** The question as JSON. */
    public static byte[] question() {
        return ("{\"kind\":\"" + KIND + "\",\"apiVersion\":\"" + API_VERSION + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The user whom a server sees.
     *
     * @throws NoReviewException unless the answer names one
     */
    public static UserInfo read(byte[] answer) throws NoReviewException {
        SelfReview review = new SelfReview();
        ReviewAnswer.read(answer, KIND, API_VERSION, (member, members) -> {
            if (member.equals("userInfo")) {
                members.object("status.userInfo", fact -> review.fact(fact, members));
            }
        });
        if (review.name.isEmpty()) {
            throw new NoReviewException("status.userInfo.username: missing from the answer");
        }
        return new UserInfo(review.name, review.uid, review.groups, review.extra);
    }

    private void fact(String fact, AnswerMembers members) throws IOException, NoReviewException {
        String what = "status.userInfo." + fact;
        switch (fact) {
            case "username" -> name = members.string(what);
            case "uid" -> uid = members.string(what);
            case "groups" -> groups = members.strings(what);
            case "extra" -> {
                if (!members.isNull()) {
                    members.object(what, key -> extra.put(key, members.strings(what)));
                }
            }
            default -> {}
        }
    }
}
