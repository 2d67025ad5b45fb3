package io.plat.cli.server;

import io.plat.cli.review.NoReviewException;
import io.plat.cli.review.SelfReview;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;

/** Whom a server sees in who asks. */
public final class Me {
    private Me() {}

    /** The user and groups that a server sees. */
    public static UserInfo at(HttpsConnection server) {
        return at(server, Map.of());
    }

    /**
     * The same for a request with further header fields, as those that impersonate somebody.
     *
     * @throws io.plat.cli.CommandException if the server does not say
     */
    public static UserInfo at(HttpsConnection server, Map<String, List<String>> fields) {
        Answer answer = server.post(SelfReview.PATH, SelfReview.question(), "application/json", fields);
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        try {
            return SelfReview.read(answer.body());
        } catch (NoReviewException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
    }
}
