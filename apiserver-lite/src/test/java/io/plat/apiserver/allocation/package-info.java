/** Tests of the uniqueness of allocations. */
@NullMarked
package io.plat.apiserver.allocation;

import org.jspecify.annotations.NullMarked;
