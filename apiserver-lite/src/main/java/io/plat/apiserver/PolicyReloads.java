package io.plat.apiserver;

import io.micrometer.core.instrument.Counter;
import io.plat.engine.policy.PolicySet;
import io.plat.engine.policy.ReloadListener;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.source.Problem;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator what became of a changed policy file. */
final class PolicyReloads implements ReloadListener {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyReloads.class);

    private final Counter swapped;
    private final Counter kept;

    PolicyReloads(ServerMetrics metrics) {
        swapped = metrics.reloads("policy", true);
        kept = metrics.reloads("policy", false);
    }

    @Override
    public void swapped(PolicySet before, PolicySet after) {
        swapped.increment();
        LOG.info("policy {} decides, in place of {}", after.revision(), before.revision());
    }

    @Override
    public void kept(PolicySet current, List<Problem> problems) {
        kept.increment();
        LOG.error("the changed policy can't be used, {} still decides", current.revision());
        problems.forEach(problem -> LOG.error("{}", problem));
    }

    @Override
    public void restored(PolicySet current) {
        LOG.info("the policy files can be used again, {} still decides", current.revision());
    }
}
