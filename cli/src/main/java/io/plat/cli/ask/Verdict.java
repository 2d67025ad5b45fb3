package io.plat.cli.ask;

import io.plat.review.ReviewStatus;

/**
 * An answered review.
 *
 * @param status the answer
 * @param json the whole review as the answerer wrote it
 */
// The array is the verdict's own and is read, not changed; a copy for each read would buy nothing.
@SuppressWarnings("ArrayRecordComponent")
public record Verdict(ReviewStatus status, byte[] json) {}
