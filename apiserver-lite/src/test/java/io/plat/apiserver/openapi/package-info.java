/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
