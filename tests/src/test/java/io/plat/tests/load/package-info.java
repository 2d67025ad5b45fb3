/**
 * Load on real processes, compared with an alternative under the same load in the same run. Prints results and never fails a build. Only
 * ratios are meaningful, as everything shares the machine with the client.
 */
@NullMarked
package io.plat.tests.load;

import org.jspecify.annotations.NullMarked;
