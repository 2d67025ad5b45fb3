/** Faults of the machine and of other processes, each with what clients must not notice of it. */
@NullMarked
package io.plat.tests.fault;

import org.jspecify.annotations.NullMarked;
