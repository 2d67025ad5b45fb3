/** Tests of {@code io.plat.apiserver.custom}. */
@NullMarked
package io.plat.apiserver.custom;

import org.jspecify.annotations.NullMarked;
