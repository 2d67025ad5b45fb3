/**
 * Load on real processes, beside an alternative under the same load in the same run. Prints figures; nothing here gates a build.
 * Ratios are what to trust: everything shares the machine with the client.
 */
@NullMarked
package io.plat.tests.load;

import org.jspecify.annotations.NullMarked;
