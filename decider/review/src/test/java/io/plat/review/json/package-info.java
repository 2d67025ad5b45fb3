@NullMarked
package io.plat.review.json;

import org.jspecify.annotations.NullMarked;
