package io.plat.engine.policy;

/** Listener for revisions of the policy, whether files or role objects of a server changed. */
@FunctionalInterface
public interface RevisionListener {
    /**
     * A new revision is in effect. Called in the order of the revisions, one at a time, by the thread that changed the policy and waits: must
     * return quickly.
     *
     * @param now the policy in effect
     */
    void decides(PolicySet now);
}
