package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A server program, run by {@link ServerProcess}. */
public interface ServerProgram {
    /** Returns the flags; called once. */
    FlagSet flags();

    /**
     * Starts the server. When this returns it accepts connections; when it throws it has closed its parts.
     *
     * @throws StartException if a file or address of a flag cannot be used
     */
    Running start(FlagValues values) throws StartException;

    interface Running {
        String url();

        /** Returns whether stdout is reserved for the server's own output, so that its URL is printed to stderr. */
        default boolean ownsStdout() {
            return false;
        }

        /** Called after the line with the URL was printed; from then on the server may write to stdout. */
        default void announced() {}

        /** Stops the server; returns when requests in progress are answered or aborted, and everything is closed. Called once. */
        void stop() throws InterruptedException;
    }
}
