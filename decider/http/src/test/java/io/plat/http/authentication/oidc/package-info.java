/** Tests of OpenID Connect tokens. */
@NullMarked
package io.plat.http.authentication.oidc;

import org.jspecify.annotations.NullMarked;
