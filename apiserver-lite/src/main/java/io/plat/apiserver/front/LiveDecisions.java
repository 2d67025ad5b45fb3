package io.plat.apiserver.front;

import io.plat.apiserver.audit.PolicyInEffect;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.DecisionListener;
import io.plat.engine.Decision;
import io.plat.engine.decided.DecisionLine;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.engine.decided.SpecMask;
import io.plat.http.stream.EventStreams;
import io.plat.http.stream.LiveLines;
import java.time.InstantSource;
import java.util.Set;

/** Stream of authorization decisions for subscribers. Thread-safe and non-blocking. */
public final class LiveDecisions implements DecisionListener, AutoCloseable {
    private final PolicyInEffect policyInEffect;
    private final InstantSource clock;
    private final LiveLines<DecisionRecord> lines;

    public LiveDecisions(PolicyInEffect policyInEffect, InstantSource clock) {
        this.policyInEffect = policyInEffect;
        this.clock = clock;
        DecisionLine text = new DecisionLine(policyInEffect.modes(), new SpecMask(Set.of()));
        // The size of a request is bounded by the server's limit on its header.
        this.lines = new LiveLines<>(
                (decided, lines) -> text.write(decided.withoutShadow(), lines), DecisionRecord::reviewBytes);
    }

    @Override
    public boolean listens() {
        return lines.hasSubscribers();
    }

    @Override
    public void decided(Call call, Decision decision, long nanos) {
        lines.publish(new DecisionRecord(
                call.id(),
                clock.instant(),
                call.authenticated().name(),
                call.attributes(),
                decision,
                policyInEffect.revision().get().text(),
                nanos,
                0,
                ShadowSlot.NONE));
    }

    public EventStreams streams() {
        return lines.streams();
    }

    @Override
    public void close() {
        lines.close();
    }
}
