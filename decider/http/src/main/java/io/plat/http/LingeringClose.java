package io.plat.http;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Response to a request whose body is not read. An HTTP/1.1 client that is still sending gets some time to finish before its connection is closed
 * (RFC 9112, section 9.6): otherwise TCP resets the connection, which may erase the response before the client reads it.
 */
public final class LingeringClose {
    /** Time in which a client may go on sending, as with nginx's {@code lingering_timeout}. */
    private static final long MAX_SECONDS = 5;

    /** Number of chunks that are read before other work of the thread gets its turn. */
    private static final int MAX_CHUNKS = 16;

    private final Request request;
    private final Response response;
    private final Callback completes;
    private final Runnable resume = Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::discardRest);
    private final Scheduler.Task deadline;

    private LingeringClose(Request request, Response response, Callback completes) {
        this.request = request;
        this.response = response;
        this.completes = completes;
        this.deadline = request.getComponents()
                .getScheduler()
                .schedule(() -> UnreadResponses.end(request), MAX_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Sends the response, and discards the rest of the body. If that is not available yet, the connection is closed afterwards.
     *
     * @param content the whole content of the response; null for none
     * @param completes completes the request
     */
    public static void write(Request request, Response response, @Nullable ByteBuffer content, Callback completes) {
        Content.@Nullable Chunk last = discardAvailable(request);
        boolean multiplexed = request.getConnectionMetaData().getHttpVersion().getVersion() > 11;
        if (!multiplexed && (last == null || Content.Chunk.isFailure(last))) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        boolean notSending = request.getHeaders().contains(HttpHeader.EXPECT);
        if (multiplexed || last != null || notSending) {
            response.write(true, content, completes);
            return;
        }
        // Not the last write, after which Jetty closes the connection for reading as well.
        response.write(
                false,
                content,
                Callback.from(() -> new LingeringClose(request, response, completes).discardRest(), completes::failed));
    }

    private void discardRest() {
        if (discardAvailable(request) == null) {
            request.demand(resume);
        } else {
            deadline.cancel();
            response.write(true, null, completes);
        }
    }

    /** Discards some data; returns the last part of the body or a failure, or null if there may be more. */
    private static Content.@Nullable Chunk discardAvailable(Request request) {
        for (int i = 0; i < MAX_CHUNKS; i++) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return null;
            }
            chunk.release();
            if (chunk.isLast()) {
                return chunk;
            }
        }
        return null;
    }
}
