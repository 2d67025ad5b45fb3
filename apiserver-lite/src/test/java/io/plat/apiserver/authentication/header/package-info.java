/** Tests of users that front proxies name. */
@NullMarked
package io.plat.apiserver.authentication.header;

import org.jspecify.annotations.NullMarked;
