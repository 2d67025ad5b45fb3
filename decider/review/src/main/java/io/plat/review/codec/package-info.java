/**
 * Reviews between bytes and values, in every version, by streaming: no tree and no intermediate map on the way.
 *
 * <p>{@link io.plat.review.codec.ReviewCodec} is the only public door. What a client sends is untrusted: size, depth and lengths
 * are bounded, and every way to be malformed is a {@link io.plat.review.status.StatusException} that says what and where. What
 * a remote decider answers is read strictly, since a misread answer would be a wrong decision. Where two readers of the same
 * bytes could disagree (a key that stands twice, an overlong form of a character), the bytes are refused.
 *
 * <p>Depends on the values in {@code io.plat.review}, on Status, and on Jackson's streaming core.
 */
@NullMarked
package io.plat.review.codec;

import org.jspecify.annotations.NullMarked;
