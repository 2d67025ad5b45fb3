/** Background loops, threads and executors. No other package creates threads. */
@NullMarked
package io.plat.process;

import org.jspecify.annotations.NullMarked;
