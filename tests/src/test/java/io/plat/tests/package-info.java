/**
 * Tests from the outside: real processes, real TLS, real files; rules about the house; models and benchmarks of the engines.
 * Nothing depends on this module.
 */
@NullMarked
package io.plat.tests;

import org.jspecify.annotations.NullMarked;
