@NullMarked
package io.plat.review.source;

import org.jspecify.annotations.NullMarked;
