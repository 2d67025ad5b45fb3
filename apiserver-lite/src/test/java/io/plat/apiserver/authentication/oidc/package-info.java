/** Tests of OpenID Connect tokens. */
@NullMarked
package io.plat.apiserver.authentication.oidc;

import org.jspecify.annotations.NullMarked;
