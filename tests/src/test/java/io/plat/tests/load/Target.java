package io.plat.tests.load;

/** A server process under load. */
interface Target extends AutoCloseable {
    /** Returns its name in the table. */
    String name();

    /** Returns its port on localhost. */
    int port();

    /** Returns its path for reviews. */
    default String path() {
        return "/authorize";
    }

    /** Returns whether it offers HTTP/2 in addition to HTTP/1.1. */
    default boolean http2() {
        return true;
    }

    /** Returns the processes of the server, whose CPU time is measured. */
    long[] pids();

    @Override
    void close();
}
