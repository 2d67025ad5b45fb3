package io.plat.apiserver.filter;

import io.plat.engine.Decision;

/** Listener for authorization decisions. */
public interface DecisionListener {
    /** Returns whether there is anyone to notify; otherwise decisions need not be timed. */
    boolean listens();

    /**
     * Notifies of a decision. Returns immediately.
     *
     * @param nanos duration of the decision
     */
    void decided(Call call, Decision decision, long nanos);
}
