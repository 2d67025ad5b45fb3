package io.plat.engine.policy;

import io.plat.review.source.Problem;
import java.util.List;

/** Hears what became of a changed policy: for logs, metrics and those who keep decisions. Called by the thread that reloads. */
public interface ReloadListener {
    /** Another policy decides from now on. */
    void swapped(PolicySet before, PolicySet after);

    /**
     * What the files say now can't be used; the policy from before still decides.
     *
     * @param current the policy that goes on
     * @param problems everything that is wrong
     */
    void kept(PolicySet current, List<Problem> problems);

    /** The files can be used again, and say what the policy says that went on all the time. */
    void restored(PolicySet current);
}
