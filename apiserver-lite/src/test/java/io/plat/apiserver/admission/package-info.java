/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.admission;

import org.jspecify.annotations.NullMarked;
