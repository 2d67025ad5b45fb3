/**
 * Streaming codecs of reviews, in every version, without an intermediate tree or map.
 *
 * <p>{@link io.plat.review.codec.ReviewCodec} is the entry point; {@link io.plat.review.codec.JsonBody} and {@link io.plat.review.codec.Members} read the
 * bodies of other protocols by the same rules. A client's body is untrusted: size, depth and lengths are bounded, and a malformed part is a {@link
 * io.plat.review.status.StatusException} with its problem and location. A remote decider's response is read strictly, since a misread response would
 * be a wrong decision. Bytes on which two readers could disagree (a duplicate key, an overlong character) are rejected.
 *
 * <p>Depends on the values in {@code io.plat.review}, on Status, and on Jackson's streaming core.
 */
@NullMarked
package io.plat.review.codec;

import org.jspecify.annotations.NullMarked;
