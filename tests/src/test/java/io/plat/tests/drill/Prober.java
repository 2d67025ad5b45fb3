package io.plat.tests.drill;

import io.plat.tests.drill.ServerAccess.Reply;
import io.plat.tests.drill.ServerAccess.Request;
import java.io.IOException;
import java.time.Duration;

/** Writes to one server continuously, and records the successes. */
final class Prober implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int PAUSE_MILLIS = 50;

    private final Round round;
    private final int server;
    private boolean created;

    Prober(Round round, int server) {
        this.round = round;
        this.server = server;
    }

    @Override
    public void run() {
        while (!round.isOver(PAUSE_MILLIS)) {
            long called = System.nanoTime();
            try {
                if (write()) {
                    round.recorder().served(server, called);
                }
            } catch (IOException e) {
                // A missing response shows as a gap in the records.
            }
        }
    }

    private boolean write() throws IOException {
        String name = round.name() + "probe-" + server;
        long state = round.nextState();
        String body = RegisterObjects.body(name, state, "");
        Request request = created
                ? new Request(DrilledSystem.WRITER, server, "PUT", RegisterObjects.at(name), body, TIMEOUT)
                : new Request(DrilledSystem.WRITER, server, "POST", RegisterObjects.PATH, body, TIMEOUT);
        Reply reply = round.access().send(request);
        round.recorder().answered("writer's " + request.method() + " at server " + server, true, reply.code());
        created |= reply.isSuccess() || reply.code() == 409;
        if (reply.isSuccess()) {
            round.recorder().acknowledged(name, state, false);
        }
        return reply.isSuccess();
    }
}
