package io.plat.decider.shadow;

import io.micrometer.core.instrument.Counter;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.policy.ReloadListener;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.source.Problem;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator what became of a changed candidate. */
public final class CandidateReloads implements ReloadListener {
    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);

    private final Counter swapped;
    private final Counter kept;

    /** Counts among a server's metrics. */
    public CandidateReloads(ServerMetrics metrics) {
        swapped = metrics.reloads("candidate-policy", true);
        kept = metrics.reloads("candidate-policy", false);
    }

    @Override
    public void swapped(PolicySet before, PolicySet after) {
        swapped.increment();
        LOG.info("candidate policy {} is tried out, in place of {}", after.revision(), before.revision());
        warn(after);
    }

    @Override
    public void kept(PolicySet current, List<Problem> problems) {
        kept.increment();
        LOG.error("the changed candidate policy can't be used, {} is still tried out", current.revision());
        problems.forEach(problem -> LOG.error("{}", problem));
    }

    @Override
    public void restored(PolicySet current) {
        LOG.info("the candidate's files say again what is tried out, {}", current.revision());
    }

    /** Tells what a candidate leaves out. */
    public static void warn(PolicySet candidate) {
        candidate.warnings().forEach(warning -> LOG.warn("candidate policy: {}", warning));
    }
}
