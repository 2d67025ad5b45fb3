/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.filter;

import org.jspecify.annotations.NullMarked;
