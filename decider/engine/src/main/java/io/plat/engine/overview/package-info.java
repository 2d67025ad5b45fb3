/**
 * Queries about a policy as a whole: virtual types in addition to the explaining ones. Requests and responses are bytes, so every server handles
 * them alike.
 *
 * <p>May depend on everything in {@code io.plat.engine} that reads policies, and on reviews.
 */
@NullMarked
package io.plat.engine.overview;

import org.jspecify.annotations.NullMarked;
