/** Metrics in the view of a scraper. */
@NullMarked
package io.plat.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
