/**
 * Cost of a decision. Each benchmark asks the compiled engine and, in the same run, the plain scan that it replaces, over policies of growing
 * size; {@link io.plat.tests.bench.EngineBenchmarks} runs them and prints the ratios. Numbers of different runs are not comparable on a machine
 * that others use; ratios within one are.
 */
@NullMarked
package io.plat.tests.bench;

import org.jspecify.annotations.NullMarked;
