/**
 * Questions about a policy as a whole, as servers take them: virtual types beside the explaining ones, answered from the authorizer
 * that decides. Bytes in, bytes out, so that every server answers them alike.
 *
 * <p>May depend on everything in {@code io.plat.engine} that reads policies, and on reviews.
 */
@NullMarked
package io.plat.engine.overview;

import org.jspecify.annotations.NullMarked;
