package io.plat.engine.policy;

/** Listener for revisions of the policy, whether files or role objects of a server changed. */
@FunctionalInterface
public interface RevisionListener {
    /**
     * Handles a new revision in effect. Called sequentially, in the order of the revisions, by the thread that changed the policy: must return
     * quickly.
     *
     * @param now the policy in effect
     */
    void revisionChanged(PolicySet now);
}
