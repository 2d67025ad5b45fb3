@NullMarked
package io.plat.review.clientconfig;

import org.jspecify.annotations.NullMarked;
