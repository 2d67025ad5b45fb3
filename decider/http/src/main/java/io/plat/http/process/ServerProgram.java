package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A server, as {@link ServerProcess} runs it. */
public interface ServerProgram {
    /** Returns its flags; called once. */
    FlagSet flags();

    /**
     * Starts it. When this returns it accepts connections; when it throws it has closed its parts.
     *
     * @throws StartException if a file or address of a flag can't be used
     */
    Running start(FlagValues values) throws StartException;

    interface Running {
        String url();

        /** Returns whether stdout is for its own lines only, so that its URL is printed to stderr. */
        default boolean ownsStdout() {
            return false;
        }

        /** Called once the line with its URL has been printed: only from now on may it write to stdout itself. */
        default void announced() {}

        /** Stops it; returns when requests in progress are answered or aborted, and everything is closed. Called once. */
        void stop() throws InterruptedException;
    }
}
