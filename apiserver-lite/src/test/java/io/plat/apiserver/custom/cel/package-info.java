/** Tests of {@code io.plat.apiserver.custom.cel}. */
@NullMarked
package io.plat.apiserver.custom.cel;

import org.jspecify.annotations.NullMarked;
