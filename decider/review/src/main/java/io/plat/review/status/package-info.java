/**
 * The Status object, which represents failures in this product and in Kubernetes.
 *
 * <p>It is in this module because reviews, both servers and the command-line tool use it.
 */
@NullMarked
package io.plat.review.status;

import org.jspecify.annotations.NullMarked;
