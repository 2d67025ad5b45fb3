package io.plat.tests.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Access of clients to the API servers. Thread-safe. */
interface Door extends AutoCloseable {
    /**
     * A request of a client.
     *
     * @param user whose certificate it shows
     * @param server which server it asks
     * @param method the method
     * @param path the path, with its query
     * @param body JSON; null for none
     * @param patience how long it waits
     */
    record Question(
            String user,
            int server,
            String method,
            String path,
            @Nullable String body,
            Duration patience) {}

    /** A response. */
    record Reply(int code, String body) {
        boolean good() {
            return code >= 200 && code < 300;
        }
    }

    /**
     * Asks.
     *
     * @throws IOException if there is no answer
     */
    Reply ask(Question question) throws IOException;

    /**
     * Watches until the stream ends, in whatever way.
     *
     * @param told is given each line
     * @return the code of the answer
     * @throws IOException if there is no answer, or it breaks off
     */
    int watch(int server, String path, Consumer<String> told) throws IOException;

    @Override
    void close();
}
