package io.plat.decider;

import io.plat.authorization.DecisionCounters;
import io.plat.engine.Decision;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.fronts.Decisions;
import io.plat.http.stream.LiveLines;
import org.jspecify.annotations.Nullable;

/** Counters, decision log, live stream and candidate policy of a decider. A decision that no mode allowed counts for all modes together. */
final class DecisionRecorder implements Decisions.Recorder {
    private final DecisionCounters counters;
    private final @Nullable DecisionLog log;
    private final @Nullable Shadow shadow;
    private final LiveLines<DecisionRecord> live;

    /** Registers the metrics. */
    DecisionRecorder(DeciderParts parts) {
        this.counters =
                new DecisionCounters(parts.metrics.registry(), parts.authorizerName(), parts.configured != null);
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
        counters.count(decision);
    }
}
