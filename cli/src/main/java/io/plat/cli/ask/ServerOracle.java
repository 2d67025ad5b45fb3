package io.plat.cli.ask;

import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import io.plat.review.AccessReview;
import io.plat.review.codec.MalformedAnswerException;
import io.plat.review.codec.ReviewCodec;

/** Asks a server, an API server or a decider alike: both answer at the resource's path. */
public final class ServerOracle implements Oracle {
    private final HttpsConnection server;
    private final ReviewCodec codec = new ReviewCodec();

    /** An oracle that asks this server. */
    public ServerOracle(HttpsConnection server) {
        this.server = server;
    }

    @Override
    public Verdict ask(AccessReview review) {
        String path =
                "/apis/" + review.version().apiVersion() + "/" + review.kind().resource();
        Answer answer = server.post(path, codec.encodeQuestion(review), "application/json");
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        try {
            return new Verdict(codec.decodeAnswer(answer.body(), review.kind(), review.version()), answer.body());
        } catch (MalformedAnswerException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
    }
}
