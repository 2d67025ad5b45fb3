package io.plat.cli.process;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Failure of a command. The message is for the user: one or more lines, without internal detail. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;
    private final boolean argumentError;

    private CommandException(int exitStatus, boolean argumentError, String message) {
        super(message, null, false, false);
        this.exitStatus = exitStatus;
        this.argumentError = argumentError;
    }

    /** Returns a failure for an invalid command line. */
    public static CommandException usage(String message) {
        return new CommandException(ExitStatus.USAGE, true, message);
    }

    /** Returns a failure for an unknown name in a request. */
    public static CommandException unknown(String message) {
        return new CommandException(ExitStatus.UNDETERMINED, true, message);
    }

    /** Returns a failure to determine the result. */
    public static CommandException undetermined(String message) {
        return new CommandException(ExitStatus.UNDETERMINED, false, message);
    }

    /** Returns a failure to determine the result, with the message of another exception. */
    public static CommandException of(Exception reason) {
        return undetermined(String.valueOf(reason.getMessage()));
    }

    /**
     * Returns a failure to read or write a file or stream.
     *
     * @param what the operation; the reason follows, in words if the JDK's message is only the path
     */
    public static CommandException io(String what, Exception failure) {
        return undetermined(what + ": "
                + switch (failure) {
                    case NoSuchFileException _ -> "no such file";
                    case AccessDeniedException _ -> "permission denied";
                    case FileSystemException refused when refused.getReason() != null -> refused.getReason();
                    default ->
                        Objects.requireNonNullElse(
                                        failure.getMessage(), failure.getClass().getSimpleName())
                                .replace("Is a directory", "is a directory");
                });
    }

    /** Returns whether only the arguments are at fault. */
    public boolean isArgumentError() {
        return argumentError;
    }

    public int exitStatus() {
        return exitStatus;
    }
}
