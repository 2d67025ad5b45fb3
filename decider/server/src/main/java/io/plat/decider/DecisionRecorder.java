package io.plat.decider;

import io.plat.engine.Decision;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.fronts.Decisions;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import io.plat.http.stream.LiveLines;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counters, decision log, live stream and candidate policy of a decider. A decision that no mode allowed counts for all modes together. */
final class DecisionRecorder implements Decisions.Recorder {
    private final DecisionCounters counters;
    private final String all;
    /** True if the authorizers of a configuration file count their decisions themselves. */
    private final boolean countsByName;

    private final @Nullable DecisionLog log;
    private final @Nullable Shadow shadow;
    private final LiveLines<DecisionRecord> live;

    /** Registers the metrics. */
    DecisionRecorder(DeciderParts parts) {
        this.all = parts.authorizerName();
        this.counters = new DecisionCounters(parts.metrics.registry(), List.of(all));
        this.countsByName = parts.configured != null;
        this.log = parts.log;
        this.shadow = parts.shadow;
        this.live = parts.live;
    }

    @Override
    public boolean blocks() {
        return log != null && log.lines().waits();
    }

    @Override
    public boolean isActive() {
        return log != null || shadow != null || live.hasSubscribers();
    }

    @Override
    public ShadowSlot slot() {
        return shadow == null ? ShadowSlot.NONE : new ShadowSlot();
    }

    @Override
    public boolean record(DecisionRecord decided) {
        if (shadow != null) {
            shadow.consider(decided);
        }
        live.publish(decided);
        return log == null || log.lines().record(decided);
    }

    @Override
    public void count(Decision decision) {
        if (countsByName && (decision instanceof Decision.Allow || decision instanceof Decision.Deny)) {
            return;
        }
        switch (decision) {
            case Decision.Allow allow -> counters.count(allow.grant().authorizer(), Outcome.ALLOWED);
            case Decision.Deny ignored -> counters.count(all, Outcome.DENIED);
            case Decision.NoOpinion ignored -> counters.count(all, Outcome.DENIED);
            case Decision.Undecided undecided ->
                counters.count(
                        all,
                        switch (undecided.cause()) {
                            case FAILED -> Outcome.FAILED;
                            case NOT_LOADED -> Outcome.NOT_LOADED;
                        });
        }
    }
}
