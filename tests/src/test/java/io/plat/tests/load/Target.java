package io.plat.tests.load;

/** A server process under load. */
interface Target extends AutoCloseable {
    /** Its name in the table. */
    String name();

    /** Where it listens, on localhost. */
    int port();

    /** Where it takes a review. */
    default String path() {
        return "/authorize";
    }

    /** Whether it offers HTTP/2 beside HTTP/1.1. */
    default boolean http2() {
        return true;
    }

    /** The processes that serve, whose CPU time counts. */
    long[] pids();

    @Override
    void close();
}
