package io.plat.apiserver.filter;

import io.plat.engine.Decision;

/** Is notified of decisions about requests. */
public interface DecisionListener {
    /** Whether it is notified at this time; else decisions need not be timed. */
    boolean listens();

    /**
     * A decision about a request was made. Returns at once.
     *
     * @param nanos how long deciding took
     */
    void decided(Call call, Decision decision, long nanos);
}
