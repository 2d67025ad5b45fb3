/**
 * Cost of a decision. Each benchmark runs the compiled engine and a plain scan, over policies of growing size; {@link
 * io.plat.tests.bench.EngineBenchmarks} runs them and prints the ratios. On a shared machine, numbers of different runs are not comparable;
 * ratios within one run are.
 */
@NullMarked
package io.plat.tests.bench;

import org.jspecify.annotations.NullMarked;
