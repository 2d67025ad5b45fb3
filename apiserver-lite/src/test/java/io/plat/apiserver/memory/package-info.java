/** Tests of the memory of requests. */
@NullMarked
package io.plat.apiserver.memory;

import org.jspecify.annotations.NullMarked;
