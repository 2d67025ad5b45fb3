package io.plat.tls;

import io.plat.tls.pem.PemException;

/** Listener for changed files, for metrics. Called on the thread of the watch; should be quick. */
public interface ReloadListener {
    /**
     * New material is in use.
     *
     * @param what the name under which the material was opened
     */
    default void reloaded(String what) {}

    /**
     * The changed files can't be used; the last valid material remains in use.
     *
     * @param what the name under which the material was opened
     * @param problem file and defect
     */
    default void kept(String what, PemException problem) {}

    /** Returns a listener that does nothing; reloads are still logged. */
    static ReloadListener none() {
        return new ReloadListener() {};
    }
}
