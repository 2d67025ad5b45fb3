/**
 * Simulation of a fleet of deciders and servers, larger than one machine can run, from the cost of each step. It models the behaviour of
 * the parts (caching with TTL and revisions, failover), not their implementation, and is compared with real processes by {@code
 * io.plat.tests.load.SimulationLoad}.
 */
@NullMarked
package io.plat.tests.simulation;

import org.jspecify.annotations.NullMarked;
