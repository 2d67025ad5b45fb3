/** Tests of the resource operations, on a store in memory. */
@NullMarked
package io.plat.apiserver.resource;

import org.jspecify.annotations.NullMarked;
