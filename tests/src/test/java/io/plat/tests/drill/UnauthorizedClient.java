package io.plat.tests.drill;

import io.plat.tests.drill.Door.Question;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Asks one server all the time for what it may not have. */
final class Stranger implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final int REST = 20;

    private final Round round;
    private final int server;

    Stranger(Round round, int server) {
        this.round = round;
        this.server = server;
    }

    @Override
    public void run() {
        List<String> methods = List.of("GET", "POST", "PUT", "DELETE");
        for (int i = 0; !round.over(REST); i++) {
            String method = methods.get(i % methods.size());
            String path = method.equals("POST") ? Maps.PATH : Maps.at(round.name() + "probe-" + server);
            // What came through would be seen as a state too.
            String body = method.startsWith("P") ? Maps.body(round.name() + "stranger", -1, "") : null;
            try {
                int code = round.door()
                        .ask(new Question(DrilledSystem.STRANGER, server, method, path, body, PATIENCE))
                        .code();
                round.notes().answered("stranger's " + method + " " + path + " at server " + server, false, code);
            } catch (IOException e) {
                // No answer is no permission.
            }
        }
    }
}
