/**
 * The Status object: how every program of this product, and every server of its kind, says that something was wrong.
 *
 * <p>It stands in this module because reviews, both servers and the command-line tool all read or write it.
 */
@NullMarked
package io.plat.review.status;

import org.jspecify.annotations.NullMarked;
