/**
 * What every reader and writer of JSON in this module shares: which texts can be written, and how a malformed one is described.
 *
 * <p>Depends on Jackson's streaming core only.
 */
@NullMarked
package io.plat.review.json;

import org.jspecify.annotations.NullMarked;
