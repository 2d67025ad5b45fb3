package io.plat.http.process;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;

/** A command of a server's program that does one thing and ends, as {@link ServerProcess#runTool} runs it. */
public interface ToolProgram {
    /** Its flags; asked once. */
    FlagSet flags();

    /**
     * Does it.
     *
     * @return what to print, lines each with its end
     * @throws StartException where something that a flag names can't be used, or is found wrong
     */
    String run(FlagValues values) throws StartException;
}
