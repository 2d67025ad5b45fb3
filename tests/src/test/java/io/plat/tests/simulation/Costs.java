package io.plat.tests.simulation;

/**
 * Cost of each step for its machine, in microseconds of a core, as measured by the load runs. Each piece of work takes a time drawn around
 * these.
 *
 * @param remembered a server's for a request whose decision it remembers, all of the request
 * @param asking a server's for a request whose decision it asks for, up to the sending
 * @param answered the rest of that, from the answer on
 * @param deciding a decider's for a question
 * @param changing a decider's for one changed object, until it decides by it
 * @param telling a decider's for telling one server a revision
 */
public record Costs(
        double remembered, double asking, double answered, double deciding, double changing, double telling) {}
