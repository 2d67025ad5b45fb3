package io.plat.tests.load;

import java.io.IOException;

/** One connection of a load run, and what it sends. Of one thread. */
interface Exchange extends AutoCloseable {
    /**
     * Sends the next request and reads its answer.
     *
     * @throws IOException if it is anything but a success
     */
    void once() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens connections that are alike. */
    @FunctionalInterface
    interface Opener {
        Exchange open() throws IOException;
    }
}
