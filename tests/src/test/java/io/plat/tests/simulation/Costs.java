package io.plat.tests.simulation;

/**
 * CPU cost of each step in microseconds, as measured by the load runs. Each step takes a random time with this mean.
 *
 * @param hit cost of a cached decision for a server, for the whole request
 * @param forwarding cost of an uncached decision for a server, until the request is sent
 * @param receiving cost of receiving the response, for a server
 * @param deciding cost of a decision for a decider
 * @param reloading cost of applying a policy change, for a decider
 * @param notifying cost of sending a revision to one server
 */
public record Costs(
        double hit, double forwarding, double receiving, double deciding, double reloading, double notifying) {}
