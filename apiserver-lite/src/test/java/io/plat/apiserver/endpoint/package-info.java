/** Tests of the package of the same name. */
@NullMarked
package io.plat.apiserver.endpoint;

import org.jspecify.annotations.NullMarked;
