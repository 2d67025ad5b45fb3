package io.plat.tls;

import io.plat.tls.pem.PemException;

/** Hears what becomes of changed files, for metrics. Called on the thread of the watch; should be quick. */
public interface ReloadListener {
    /**
     * New material is in use.
     *
     * @param what the name under which the material was opened
     */
    void reloaded(String what);

    /**
     * The changed files can't be used; the last good material stays.
     *
     * @param what the name under which the material was opened
     * @param problem file and defect
     */
    void kept(String what, PemException problem);

    /** Nobody listens. */
    static ReloadListener none() {
        return new ReloadListener() {
            @Override
            public void reloaded(String what) {
                // Nobody wants to know.
            }

            @Override
            public void kept(String what, PemException problem) {
                // Nobody wants to know; the log line is written all the same.
            }
        };
    }
}
