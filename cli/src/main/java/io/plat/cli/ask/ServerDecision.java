package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Me;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.UserInfo;
import java.util.Objects;

/** What a server decides on a question that it does not explain. Few may ask about others, everybody may about himself. */
final class ServerDecision {
    private final HttpsConnection server;

    ServerDecision(HttpsConnection server) {
        this.server = server;
    }

    /**
     * The decision.
     *
     * @throws CommandException if the server does not tell it to who asks
     */
    ReviewStatus on(AccessReview asked) {
        UserInfo user = Objects.requireNonNull(asked.user());
        ServerOracle oracle = new ServerOracle(server);
        try {
            return oracle.ask(new AccessReview(ReviewKind.SUBJECT_ACCESS_REVIEW, asked.version(), user, asked.access()))
                    .status();
        } catch (CommandException refused) {
            if (!isMe(user)) {
                throw refused;
            }
            return oracle.ask(new AccessReview(
                            ReviewKind.SELF_SUBJECT_ACCESS_REVIEW, asked.version(), null, asked.access()))
                    .status();
        }
    }

    private boolean isMe(UserInfo user) {
        try {
            UserInfo me = Me.at(server);
            return me.name().equals(user.name()) && me.groups().equals(user.groups());
        } catch (CommandException untold) {
            return false;
        }
    }
}
