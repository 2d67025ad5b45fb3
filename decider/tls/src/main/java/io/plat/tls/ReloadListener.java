package io.plat.tls;

import io.plat.tls.pem.PemException;

/** Hears what becomes of changed files, for metrics. Called on the thread of the watch; should be quick. */
public interface ReloadListener {
    /**
     * New material is in use.
     *
     * @param what the name under which the material was opened
     */
    default void reloaded(String what) {}

    /**
     * The changed files can't be used; the last good material stays.
     *
     * @param what the name under which the material was opened
     * @param problem file and defect
     */
    default void kept(String what, PemException problem) {}

    /** Nobody listens; the log lines are written all the same. */
    static ReloadListener none() {
        return new ReloadListener() {};
    }
}
