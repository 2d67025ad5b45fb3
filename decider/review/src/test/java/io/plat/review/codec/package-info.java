@NullMarked
package io.plat.review.codec;

import org.jspecify.annotations.NullMarked;
