/** Tests of how role objects come to decide. */
@NullMarked
package io.plat.apiserver.roles;

import org.jspecify.annotations.NullMarked;
