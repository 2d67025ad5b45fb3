package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A command of a server's program that runs to completion, run by {@link ServerProcess#runTool}. */
public interface ToolProgram {
    /** Returns the flags; called once. */
    FlagSet flags();

    /**
     * Runs the tool.
     *
     * @return its output: lines, each with a line feed
     * @throws StartException if a file of a flag cannot be used, or is invalid
     */
    String run(FlagValues values) throws StartException;
}
