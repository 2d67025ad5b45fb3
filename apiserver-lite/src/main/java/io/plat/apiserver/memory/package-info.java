/** The memory of requests: estimated before it is taken, bounded for each request and for all together. */
@NullMarked
package io.plat.apiserver.memory;

import org.jspecify.annotations.NullMarked;
