package io.plat.review.codec;

import io.plat.review.ReviewStatus;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of a remote decider's response. Nothing is defaulted: a response without apiVersion and kind is invalid.
 *
 * @param <T> the content of the status
 */
final class ResponseReader<T> {
    private static final MemberNames MEMBERS = MemberNames.of("kind", "apiVersion", "status");
    private static final MemberNames ALLOWED = MemberNames.of("allowed");
    private static final MemberNames STATUS = MemberNames.of("allowed", "denied", "reason", "evaluationError");

    private final StatusReader<T> statusReader;
    private String apiVersion = "";
    private String kind = "";
    private @Nullable T status;

    private ResponseReader(StatusReader<T> statusReader) {
        this.statusReader = statusReader;
    }

    /** Reader of a status whose start was read, to its end. */
    @FunctionalInterface
    interface StatusReader<T> {
        T read(Members members) throws IOException, StatusException;
    }

    static <T> T read(byte[] bytes, int maxBytes, String expectedKind, String expectedVersion, StatusReader<T> status)
            throws MalformedResponseException {
        if (bytes.length > maxBytes) {
            throw new MalformedResponseException("the answer is larger than " + maxBytes + " bytes");
        }
        ResponseReader<T> reader = new ResponseReader<>(status);
        try {
            new JsonBody(bytes, 0, bytes.length).read("the answer", "a " + expectedKind, "answer", reader::members);
            return reader.answer(expectedKind, expectedVersion);
        } catch (StatusException e) {
            throw new MalformedResponseException(String.valueOf(e.getMessage()));
        }
    }

    private T answer(String expectedKind, String expectedVersion) throws StatusException {
        JsonBody.expect("kind", expectedKind, kind);
        JsonBody.expect("apiVersion", expectedVersion, apiVersion);
        if (status == null) {
            throw missing("status");
        }
        return status;
    }

    private void members(Members members) throws IOException, StatusException {
        Members.Known known = members.known(MEMBERS);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "apiVersion" -> apiVersion = members.string();
                case "kind" -> kind = members.string();
                default -> status = members.object() ? statusReader.read(members) : null;
            }
        }
    }

    static ReviewStatus status(Members members) throws IOException, StatusException {
        Boolean allowed = null;
        boolean denied = false;
        String reason = "";
        String evaluationError = "";
        Members.Known known = members.known(STATUS);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "allowed" -> allowed = members.flag();
                case "denied" -> denied = members.bool();
                case "reason" -> reason = members.string();
                default -> evaluationError = members.string();
            }
        }
        if (allowed == null) {
            throw missing("status.allowed");
        }
        if (allowed && denied) {
            throw Members.malformed("status: both allowed and denied");
        }
        return new ReviewStatus(allowed, denied, reason, evaluationError);
    }

    /** Reads whether a status of any kind allows something; empty if it does not tell. */
    static Optional<Boolean> allowed(Members members) throws IOException, StatusException {
        Optional<Boolean> allowed = Optional.empty();
        Members.Known known = members.known(ALLOWED);
        while (known.next() != null) {
            allowed = Optional.of(members.flag());
        }
        return allowed;
    }

    static StatusException missing(String path) {
        return Members.malformed(path + ": missing from the answer");
    }
}
