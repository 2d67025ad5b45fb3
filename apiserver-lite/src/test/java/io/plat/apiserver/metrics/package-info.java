/** What is counted, read as a scraper reads it. */
@NullMarked
package io.plat.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
