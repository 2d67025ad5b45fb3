/** Tests of authentication. */
@NullMarked
package io.plat.apiserver.authentication;

import org.jspecify.annotations.NullMarked;
