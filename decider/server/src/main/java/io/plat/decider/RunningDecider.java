package io.plat.decider;

import io.plat.decider.live.LiveDecisions;
import io.plat.decider.log.DecisionLog;
import io.plat.decider.revision.RevisionStreams;
import io.plat.http.HttpsServer;
import io.plat.http.process.Opened;
import io.plat.http.process.ServerProgram;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A started decider. */
final class RunningDecider implements ServerProgram.Running {
    /** A decision takes less; what takes longer waits for something that will not come. */
    private static final Duration UNDERWAY = Duration.ofSeconds(10);

    private final HttpsServer server;
    private final RevisionStreams revisions;
    private final LiveDecisions live;
    private final @Nullable DecisionLog log;
    private final Opened opened;

    RunningDecider(
            HttpsServer server,
            RevisionStreams revisions,
            LiveDecisions live,
            @Nullable DecisionLog log,
            Opened opened) {
        this.server = server;
        this.revisions = revisions;
        this.live = live;
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
            // They would not end by themselves, and clients know how to go on elsewhere.
            revisions.endAll();
            live.endAll();
            server.stop(Duration.ZERO, UNDERWAY);
        } finally {
            opened.close();
        }
    }
}
