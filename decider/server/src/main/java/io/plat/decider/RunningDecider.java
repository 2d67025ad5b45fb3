package io.plat.decider;

import io.plat.http.HttpsServer;
import io.plat.http.process.ServerProgram;
import java.time.Duration;

/** A started decider. */
final class RunningDecider implements ServerProgram.Running {
    /** A decision takes less; what takes longer waits for something that will not come. */
    private static final Duration UNDERWAY = Duration.ofSeconds(10);

    private final HttpsServer server;
    private final Opened opened;

    RunningDecider(HttpsServer server, Opened opened) {
        this.server = server;
        this.opened = opened;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public void stop() throws InterruptedException {
        try {
            server.stop(Duration.ZERO, UNDERWAY);
        } finally {
            opened.close();
        }
    }
}
