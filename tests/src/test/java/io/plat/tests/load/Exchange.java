package io.plat.tests.load;

import java.io.IOException;

/** A connection of a load run and its requests. For one thread. */
interface Exchange extends AutoCloseable {
    /**
     * Sends the next request and reads its response.
     *
     * @throws IOException if it is not a success
     */
    void once() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens equal connections. */
    @FunctionalInterface
    interface Opener {
        Exchange open() throws IOException;
    }
}
