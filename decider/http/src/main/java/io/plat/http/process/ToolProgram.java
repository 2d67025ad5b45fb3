package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A command of a server's program that does one thing and ends, as {@link ServerProcess#runTool} runs it. */
public interface ToolProgram {
    /** Returns its flags; called once. */
    FlagSet flags();

    /**
     * Runs the tool.
     *
     * @return its output, lines each with its end
     * @throws StartException if a file of a flag can't be used, or is invalid
     */
    String run(FlagValues values) throws StartException;
}
