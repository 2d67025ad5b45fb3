package io.plat.decider;

import io.plat.decider.log.DecisionLog;
import io.plat.http.HttpsServer;
import io.plat.http.process.ServerProgram;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A started decider. */
final class RunningDecider implements ServerProgram.Running {
    /** A decision takes less; what takes longer waits for something that will not come. */
    private static final Duration UNDERWAY = Duration.ofSeconds(10);

    private final HttpsServer server;
    private final @Nullable DecisionLog log;
    private final Opened opened;

    RunningDecider(HttpsServer server, @Nullable DecisionLog log, Opened opened) {
        this.server = server;
        this.log = log;
        this.opened = opened;
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public void announced() {
        if (log != null) {
            log.begin();
        }
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
