/** Background loops, threads and executors: the only place of the product that creates them. */
@NullMarked
package io.plat.process;

import org.jspecify.annotations.NullMarked;
