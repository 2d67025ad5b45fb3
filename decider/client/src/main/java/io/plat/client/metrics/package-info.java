/** Optional adapters to libraries of metrics, which are only loaded if a program uses them. */
@NullMarked
package io.plat.client.metrics;

import org.jspecify.annotations.NullMarked;
