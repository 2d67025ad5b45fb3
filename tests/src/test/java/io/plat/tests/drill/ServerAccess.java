package io.plat.tests.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Access of clients to the API servers. Thread-safe. */
interface ServerAccess extends AutoCloseable {
    /**
     * A request of a client.
     *
     * @param user user of the client certificate
     * @param server index of the server
     * @param method the method
     * @param path the path, with its query
     * @param body JSON; null for none
     * @param timeout response timeout
     */
    record Request(
            String user,
            int server,
            String method,
            String path,
            @Nullable String body,
            Duration timeout) {}

    /** A response. */
    record Reply(int code, String body) {
        boolean isSuccess() {
            return code >= 200 && code < 300;
        }
    }

    /**
     * Sends a request.
     *
     * @throws IOException if there is no response
     */
    Reply send(Request request) throws IOException;

    /**
     * Watches until the stream ends.
     *
     * @param events receives each line
     * @return the status code
     * @throws IOException if there is no response, or the stream is aborted
     */
    int watch(int server, String path, Consumer<String> events) throws IOException;

    @Override
    void close();
}
