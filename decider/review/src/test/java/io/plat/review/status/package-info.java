@NullMarked
package io.plat.review.status;

import org.jspecify.annotations.NullMarked;
