package io.plat.engine.policy;

import io.plat.review.source.Problem;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logging and counting of reloads.
 *
 * @param policy its name in the log, such as {@code policy}
 * @param succeeded counts changes that took effect
 * @param failed counts invalid ones
 */
public record LoggedReloads(String policy, Runnable succeeded, Runnable failed) implements PolicyReloadListener {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedReloads.class);

    @Override
    public void reloaded(PolicySet before, PolicySet after) {
        succeeded.run();
        LOG.info(
                "a policy was reloaded: policy={} revision={} previous={}",
                policy,
                after.revision(),
                before.revision());
        warn(after);
    }

    @Override
    public void rejected(PolicySet current, List<Problem> problems) {
        failed.run();
        LOG.error(
                "a changed policy is invalid, the last good one stays in effect: policy={} revision={}",
                policy,
                current.revision());
        Problem.report(problems).forEach(problem -> LOG.error("problem of the changed policy: problem={}", problem));
    }

    @Override
    public void restored(PolicySet current) {
        LOG.info("the files of a policy are valid again: policy={} revision={}", policy, current.revision());
    }

    /** Logs the ignored parts of a policy. */
    public void warn(PolicySet loaded) {
        loaded.warnings()
                .forEach(warning -> LOG.warn("part of a policy has no effect: policy={} warning={}", policy, warning));
    }
}
