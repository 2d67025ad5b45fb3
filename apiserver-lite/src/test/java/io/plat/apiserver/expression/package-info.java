/** Tests of {@code io.plat.apiserver.expression}. */
@NullMarked
package io.plat.apiserver.expression;

import org.jspecify.annotations.NullMarked;
