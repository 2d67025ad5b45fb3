/**
 * A fleet of deciders and of servers that ask them, simulated: what many more of them than one machine holds would do, from what each step
 * costs. It knows how the parts behave (answers that are remembered for a time and until a revision is told, questions that go to another
 * decider when one is gone), not how they do it, and is compared with real processes by {@code io.plat.tests.load.SimulationLoad}.
 */
@NullMarked
package io.plat.tests.simulation;

import org.jspecify.annotations.NullMarked;
