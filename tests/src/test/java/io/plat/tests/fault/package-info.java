/** Faults of the machine and of other processes, and their permitted effect on clients. */
@NullMarked
package io.plat.tests.fault;

import org.jspecify.annotations.NullMarked;
