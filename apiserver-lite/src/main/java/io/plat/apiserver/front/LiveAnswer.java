package io.plat.apiserver.front;

import io.plat.apiserver.representation.Body;
import io.plat.apiserver.watch.ClientPresence;
import java.io.IOException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends a body that may be written for as long as somebody reads it: the thread that writes it is interrupted once the client has gone. */
final class LiveAnswer {
    private LiveAnswer() {}

    /** Sends it; the head of the response is set. */
    static void write(Body body, Request request, Response response, Callback callback) {
        Thread writer = Thread.currentThread();
        var pieces = new AnswerWriter.Pieces(response);
        var presence = new ClientPresence(request.getConnectionMetaData().getConnection(), gone -> {
            // The interrupt ends a wait, but what is called there may take it for its own.
            pieces.abort();
            writer.interrupt();
        });
        // Silence is as it should be; the client's going is noticed otherwise.
        request.addIdleTimeoutListener(timeout -> false);
        presence.begin();
        try {
            body.writeTo(pieces);
            pieces.flush();
        } catch (IOException broken) {
            presence.end();
            callback.failed(broken);
            return;
        }
        presence.end();
        response.write(true, null, callback);
    }
}
