/** Tests of the package of the same name. */
@NullMarked
package io.plat.cel.text;

import org.jspecify.annotations.NullMarked;
