package io.plat.tests.drill;

import io.plat.tests.drill.ServerAccess.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Continuously requests forbidden operations from one server. */
final class UnauthorizedClient implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final int PAUSE_MILLIS = 20;

    private final Round round;
    private final int server;

    UnauthorizedClient(Round round, int server) {
        this.round = round;
        this.server = server;
    }

    @Override
    public void run() {
        List<String> methods = List.of("GET", "POST", "PUT", "DELETE");
        for (int i = 0; !round.isOver(PAUSE_MILLIS); i++) {
            String method = methods.get(i % methods.size());
            String path =
                    method.equals("POST") ? RegisterObjects.PATH : RegisterObjects.at(round.name() + "probe-" + server);
            // A write that was let through would be observed as an unknown state.
            String body = method.startsWith("P") ? RegisterObjects.body(round.name() + "stranger", -1, "") : null;
            try {
                int code = round.access()
                        .send(new Request(DrilledSystem.STRANGER, server, method, path, body, TIMEOUT))
                        .code();
                round.recorder().answered("stranger's " + method + " " + path + " at server " + server, false, code);
            } catch (IOException e) {
                // A missing response is not an allow.
            }
        }
    }
}
