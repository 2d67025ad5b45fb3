/** Tests of authentication. */
@NullMarked
package io.plat.http.authentication;

import org.jspecify.annotations.NullMarked;
