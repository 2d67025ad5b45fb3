/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
