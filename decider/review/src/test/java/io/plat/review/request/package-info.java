/** Tests of request attributes. */
@NullMarked
package io.plat.review.request;

import org.jspecify.annotations.NullMarked;
