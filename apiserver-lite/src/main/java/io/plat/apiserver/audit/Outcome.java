package io.plat.apiserver.audit;

import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;

/** What a request was answered with, as an event tells it. */
sealed interface Outcome {
    /**
     * Something else than a failure.
     *
     * @param code the HTTP status code
     */
    record Answered(int code) implements Outcome {}

    /**
     * A Status that says that something was done, such as that an object is gone.
     *
     * @param code the HTTP status code
     * @param details what it was done to
     */
    record Succeeded(int code, Details details) implements Outcome {}

    /**
     * A failure.
     *
     * @param status as it was answered
     */
    record Failed(Status status) implements Outcome {}

    /** The connection ended before there was an answer. */
    record Closed() implements Outcome {}
}
