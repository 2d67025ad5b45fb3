package io.plat.cli.ask;

import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import io.plat.engine.Authorizer;
import io.plat.review.AccessReview;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.codec.MalformedAnswerException;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server what its decisions go by. One that does not know the question, or refuses it, as stock servers do, is asked for its role
 * objects instead.
 */
final class ServerExplanations implements Explanations {
    private static final int FORBIDDEN = 403;
    private static final Set<Integer> UNKNOWN = Set.of(FORBIDDEN, 404, 405);

    private final HttpsConnection server;
    private final ExplanationCodec codec = new ExplanationCodec();
    private @Nullable Explanations byRoles;

    ServerExplanations(HttpsConnection server) {
        this.server = server;
    }

    /** Reads an answer. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(byte[] body) throws MalformedAnswerException;
    }

    @Override
    public Told<Explanation> explain(AccessReview asked) {
        Explanations instead = byRoles;
        Answer answer = instead == null ? post(asked) : null;
        return answer == null || UNKNOWN.contains(answer.code())
                ? byRoles(answer).explain(asked)
                : read(answer, body -> codec.decodeExplanation(body, asked.version()));
    }

    @Override
    public Told<SubjectListing> subjects(AccessReview asked) {
        Explanations instead = byRoles;
        Answer answer = instead == null ? post(asked) : null;
        return answer == null || UNKNOWN.contains(answer.code())
                ? byRoles(answer).subjects(asked)
                : read(answer, body -> codec.decodeListing(body, asked.version()));
    }

    /** {@inheritDoc} Known only once the server was asked something and did not know the question. */
    @Override
    public Optional<Authorizer> engine() {
        return Optional.ofNullable(byRoles).flatMap(Explanations::engine);
    }

    private Answer post(AccessReview asked) {
        return server.post(
                "/apis/" + asked.version().apiVersion() + "/" + asked.kind().resource(),
                new ReviewCodec().encodeQuestion(asked),
                "application/json");
    }

    private Explanations byRoles(@Nullable Answer refusal) {
        Explanations instead = byRoles;
        if (instead == null) {
            String said = refusal == null
                    ? ""
                    : String.valueOf(Refused.by(server.server(), refusal).getMessage());
            boolean known = refusal != null && refusal.code() == FORBIDDEN;
            instead = new RoleExplanations(server, ServedRoles.read(server, known ? said : ""), said);
            byRoles = instead;
        }
        return instead;
    }

    private <T> Told<T> read(Answer answer, Reading<T> reading) {
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        try {
            return new Told<>(reading.read(answer.body()), answer.body());
        } catch (MalformedAnswerException e) {
            throw Refused.noReview(server.server(), String.valueOf(e.getMessage()));
        }
    }
}
