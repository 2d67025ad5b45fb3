package io.plat.tls;

/** Listener for changed files, for metrics. Called on the thread of the watch; should be quick. */
@FunctionalInterface
public interface ReloadListener {
    /**
     * Handles a reload: new material is in use from now on, or the files are invalid and the last valid material remains in use.
     *
     * @param what the name under which the material was opened
     * @param problem file and defect of invalid files; {@code ""} for valid ones
     */
    void reloaded(String what, String problem);

    /** Returns a listener that does nothing; reloads are still logged. */
    static ReloadListener none() {
        return (what, problem) -> {};
    }
}
