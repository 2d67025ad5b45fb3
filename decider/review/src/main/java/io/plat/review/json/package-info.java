/**
 * Shared parts of the readers and writers of JSON: encodable texts, and messages for malformed ones.
 *
 * <p>Depends on Jackson's streaming core only.
 */
@NullMarked
package io.plat.review.json;

import org.jspecify.annotations.NullMarked;
