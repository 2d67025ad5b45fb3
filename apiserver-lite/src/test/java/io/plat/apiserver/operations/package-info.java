/** Tests of the resource operations, on a store in memory. */
@NullMarked
package io.plat.apiserver.operations;

import org.jspecify.annotations.NullMarked;
