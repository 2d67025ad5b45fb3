package io.plat.engine.policy;

/** Hears of every revision of the policy that comes to decide, whatever changed it: files, or role objects of a server. */
@FunctionalInterface
public interface RevisionListener {
    /**
     * Another revision decides from now on. Told in the order of the revisions, one at a time, by the thread that changed the
     * policy and that waits for the return: to be handed on, not to be worked on.
     *
     * @param now what decides
     */
    void decides(PolicySet now);
}
