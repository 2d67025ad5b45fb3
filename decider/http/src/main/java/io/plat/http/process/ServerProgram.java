package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A server, as {@link ServerProcess} runs it. */
public interface ServerProgram {
    /** Its flags; asked once. */
    FlagSet flags();

    /**
     * Starts it. When this returns it accepts connections; when it throws it has closed what it opened.
     *
     * @throws StartException where something that a flag names can't be used
     */
    Running start(FlagValues values) throws StartException;

    /** A started server. */
    interface Running {
        /** Where it listens, as a URL. */
        String url();

        /** Told once the line that says where it listens is out: only from now on may it write to stdout itself. */
        default void announced() {}

        /** Stops it; returns when the requests underway are answered or cut off, and everything is closed. Called once. */
        void stop() throws InterruptedException;
    }
}
