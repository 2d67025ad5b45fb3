package io.plat.cli;

/** A command can't go on. The message is for the user: one or more lines, without internal detail. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    private CommandException(int exitStatus, String message) {
        super(message, null, false, false);
        this.exitStatus = exitStatus;
    }

    /** The command line is wrong. */
    public static CommandException usage(String message) {
        return new CommandException(ExitStatus.USAGE, message);
    }

    /** There is no answer to give. */
    public static CommandException couldNotTell(String message) {
        return new CommandException(ExitStatus.COULD_NOT_TELL, message);
    }

    /** The exit status of the process. */
    public int exitStatus() {
        return exitStatus;
    }
}
