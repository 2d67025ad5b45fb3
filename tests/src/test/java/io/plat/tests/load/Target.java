package io.plat.tests.load;

/** A server process under load. */
interface Target extends AutoCloseable {
    /** Its name in the table. */
    String name();

    /** Where it listens, on localhost. */
    int port();

    /** The processes that serve, whose CPU time counts. */
    long[] pids();

    @Override
    void close();
}
