/** Optional adapters for metrics libraries, which are only loaded if a program uses them. */
@NullMarked
package io.plat.client.metrics;

import org.jspecify.annotations.NullMarked;
