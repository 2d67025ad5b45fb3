package io.plat.tests.simulation;

/**
 * CPU cost of each step in microseconds, as measured by the load runs. Each piece of work takes a random time around these.
 *
 * @param remembered cost of a cached decision for a server, for the whole request
 * @param asking cost of an uncached decision for a server, until it is sent
 * @param answered cost of the response for the server
 * @param deciding cost of a decision for a decider
 * @param changing cost of a changed object for a decider
 * @param telling cost of sending a revision to one server
 */
public record Costs(
        double remembered, double asking, double answered, double deciding, double changing, double telling) {}
