package io.plat.tests.drill;

import io.plat.tests.drill.Door.Question;
import io.plat.tests.drill.Door.Reply;
import java.io.IOException;
import java.time.Duration;

/** Writes to one server all the time, and writes down when that succeeds. */
final class Prober implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int REST = 50;

    private final Round round;
    private final int server;
    private boolean made;

    Prober(Round round, int server) {
        this.round = round;
        this.server = server;
    }

    @Override
    public void run() {
        while (!round.over(REST)) {
            long called = System.nanoTime();
            try {
                if (write()) {
                    round.notes().served(server, called);
                }
            } catch (IOException e) {
                // That there is no answer is seen by what is not written down.
            }
        }
    }

    private boolean write() throws IOException {
        String name = round.name() + "probe-" + server;
        long state = round.nextState();
        String body = Maps.body(name, state, "");
        Question question = made
                ? new Question(DrilledSystem.WRITER, server, "PUT", Maps.at(name), body, PATIENCE)
                : new Question(DrilledSystem.WRITER, server, "POST", Maps.PATH, body, PATIENCE);
        Reply reply = round.door().ask(question);
        round.notes().answered("writer's " + question.method() + " at server " + server, true, reply.code());
        made |= reply.good() || reply.code() == 409;
        if (reply.good()) {
            round.notes().acknowledged(name, state, false);
        }
        return reply.good();
    }
}
