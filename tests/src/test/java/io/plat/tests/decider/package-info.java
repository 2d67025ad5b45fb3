/** The decider as a process, from the outside. */
@NullMarked
package io.plat.tests.decider;

import org.jspecify.annotations.NullMarked;
