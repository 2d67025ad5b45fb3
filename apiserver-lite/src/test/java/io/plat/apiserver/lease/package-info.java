/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.lease;

import org.jspecify.annotations.NullMarked;
