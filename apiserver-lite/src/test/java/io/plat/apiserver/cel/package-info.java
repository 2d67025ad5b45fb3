/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.cel;

import org.jspecify.annotations.NullMarked;
