/** Tests of what a request asks for. */
@NullMarked
package io.plat.review.request;

import org.jspecify.annotations.NullMarked;
