/** Black-box tests with real processes, TLS and files; house rules; models and benchmarks of the engines. No module depends on this one. */
@NullMarked
package io.plat.tests;

import org.jspecify.annotations.NullMarked;
