package io.plat.engine.policy;

import io.plat.review.source.Problem;
import java.util.List;

/** Listener for results of reloads: for logs, metrics and caches. Called by the thread that reloads. */
public interface PolicyReloadListener {
    /** Handles a new policy in effect. */
    void reloaded(PolicySet before, PolicySet after);

    /**
     * Handles invalid files; the previous policy stays in effect.
     *
     * @param current the policy in effect
     * @param problems all problems
     */
    void rejected(PolicySet current, List<Problem> problems);

    /** Handles files that are valid again, and equal to the policy in effect. */
    void restored(PolicySet current);
}
