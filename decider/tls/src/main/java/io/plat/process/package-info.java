/** Background loops, threads and executors, class loaders of optional parts, and limits on log messages. No other package creates threads. */
@NullMarked
package io.plat.process;

import org.jspecify.annotations.NullMarked;
