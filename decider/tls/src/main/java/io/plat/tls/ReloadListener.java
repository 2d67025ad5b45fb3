package io.plat.tls;

import io.plat.tls.pem.PemException;

/** Listener for changed files, for metrics. Called on the thread of the watch; should be quick. */
public interface ReloadListener {
    /**
     * Handles new material, which is in use from now on.
     *
     * @param what the name under which the material was opened
     */
    default void reloaded(String what) {}

    /**
     * Handles invalid files; the last valid material remains in use.
     *
     * @param what the name under which the material was opened
     * @param problem file and defect
     */
    default void rejected(String what, PemException problem) {}

    /** Returns a listener that does nothing; reloads are still logged. */
    static ReloadListener none() {
        return new ReloadListener() {};
    }
}
