package io.plat.cli.review;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.MalformedAnswerException;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered to a review of any kind. Nothing is filled in: an answer that does not say what it is, says it twice, or says
 * something else, is none.
 */
public final class ReviewAnswer {
    /** How deep members may nest, as in {@link io.plat.cli.output.JsonDocument}, which prints them. */
    private static final int MAX_DEPTH = 200;

    private static final JsonFactory JSON = JsonFactories.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private String kind = "";
    private String apiVersion = "";
    private boolean hasStatus;
    private @Nullable Boolean allowed;

    private ReviewAnswer() {}

    /** Reads a member of {@code status}. */
    interface StatusMember {
        void read(String name, AnswerMembers members) throws IOException, NoReviewException;
    }

    /**
     * The answer's {@code status.allowed}.
     *
     * @return empty for a review that is no question of yes or no
     * @throws NoReviewException unless the answer is one to the review that was posted
     */
    public static Optional<Boolean> allowed(ReviewDocument posted, byte[] answer) throws NoReviewException {
        Optional<ReviewKind> question = ReviewKind.of(posted.kind());
        Optional<ReviewVersion> version = ReviewVersion.of(posted.apiVersion());
        if (question.isPresent() && version.isPresent()) {
            try {
                return Optional.of(new ReviewCodec()
                        .decodeAnswer(answer, question.get(), version.get())
                        .allowed());
            } catch (MalformedAnswerException e) {
                throw new NoReviewException(String.valueOf(e.getMessage()));
            }
        }
        ReviewAnswer read = new ReviewAnswer();
        read.readAll(answer, posted.kind(), posted.apiVersion(), (name, members) -> {
            if (name.equals("allowed")) {
                read.allowed = members.bool("status.allowed");
            }
        });
        if (question.isPresent() && read.allowed == null) {
            throw new NoReviewException("status.allowed: missing from the answer");
        }
        return Optional.ofNullable(read.allowed);
    }

    /**
     * Reads an answer that is of a kind and a version, member by member of its status.
     *
     * @throws NoReviewException if it is not
     */
    static void read(byte[] answer, String kind, String apiVersion, StatusMember status) throws NoReviewException {
        new ReviewAnswer().readAll(answer, kind, apiVersion, status);
    }

    private void readAll(byte[] answer, String askedKind, String askedVersion, StatusMember status)
            throws NoReviewException {
        try (JsonParser json = JSON.createParser(answer)) {
            json.nextToken();
            AnswerMembers members = new AnswerMembers(json);
            members.object("the answer", name -> {
                switch (name) {
                    case "kind" -> kind = members.string(name);
                    case "apiVersion" -> apiVersion = members.string(name);
                    case "status" -> {
                        hasStatus = true;
                        members.object(name, member -> status.read(member, members));
                    }
                    default -> {}
                }
            });
            if (json.nextToken() != null) {
                throw new NoReviewException("unexpected content after the answer");
            }
        } catch (JsonProcessingException e) {
            throw new NoReviewException("the answer is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw new NoReviewException("the answer is not valid JSON");
        }
        expect("kind", askedKind, kind);
        expect("apiVersion", askedVersion, apiVersion);
        if (!hasStatus) {
            throw new NoReviewException("status: missing from the answer");
        }
    }

    private static void expect(String member, String expected, String found) throws NoReviewException {
        if (!found.equals(expected)) {
            throw new NoReviewException(member + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(found));
        }
    }
}
