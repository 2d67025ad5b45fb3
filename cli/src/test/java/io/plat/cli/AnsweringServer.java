package io.plat.cli;

import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.file.Path;

/** A server that answers every request with the same text. */
final class AnsweringServer implements AutoCloseable {
    private final ScriptedServer server;
    private volatile ScriptedServer.Reply reply = new ScriptedServer.Reply(404, "");

    /** Creates a server with certificates in this directory. */
    AnsweringServer(Path directory) throws IOException, PemException {
        server = new ScriptedServer(directory, requested -> reply);
    }

    /** Runs plat against this server with a response. */
    CommandRun answering(int status, String body, String... arguments) {
        reply = new ScriptedServer.Reply(status, body);
        return server.plat(arguments);
    }

    /** Returns the URL. */
    String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
    }
}
