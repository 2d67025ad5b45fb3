package io.plat.engine.policy;

import io.plat.review.source.Problem;
import java.util.List;

/** Listener for results of reloads: for logs, metrics and caches. Called by the thread that reloads. */
public interface ReloadListener {
    /** Another policy decides from now on. */
    void swapped(PolicySet before, PolicySet after);

    /**
     * The current files are invalid; the previous policy stays in effect.
     *
     * @param current the policy in effect
     * @param problems all problems
     */
    void kept(PolicySet current, List<Problem> problems);

    /** The files are valid again, and equal the policy that stayed in effect. */
    void restored(PolicySet current);
}
