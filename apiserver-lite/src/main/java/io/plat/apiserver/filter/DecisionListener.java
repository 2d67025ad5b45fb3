package io.plat.apiserver.filter;

import io.plat.engine.Decision;

/** Is told what was decided about requests. */
public interface DecisionListener {
    /** Listens never. */
    DecisionListener NONE = new DecisionListener() {
        @Override
        public boolean listens() {
            return false;
        }

        @Override
        public void decided(Call call, Decision decision, long nanos) {
            throw new IllegalStateException("it does not listen");
        }
    };

    /** Whether it is told anything now: else decisions need not be timed. */
    boolean listens();

    /**
     * Whether a request may be served was decided. Returns at once.
     *
     * @param nanos how long deciding took
     */
    void decided(Call call, Decision decision, long nanos);
}
