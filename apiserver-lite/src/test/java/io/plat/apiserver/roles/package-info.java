/** Tests of the application of role objects. */
@NullMarked
package io.plat.apiserver.roles;

import org.jspecify.annotations.NullMarked;
