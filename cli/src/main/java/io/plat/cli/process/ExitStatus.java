package io.plat.cli.process;

/** The exit codes of plat (contract, "plat"). A script can distinguish "no" from a failure. */
public final class ExitStatus {
    /** Allowed, or nothing to report. */
    public static final int YES = 0;

    /** Not allowed, or something to report. */
    public static final int NO = 1;

    /** Invalid command line. */
    public static final int USAGE = 2;

    /** Undetermined: unreachable server, refusal, malformed or unreadable input, or a bug of this program. */
    public static final int UNDETERMINED = 3;

    private ExitStatus() {}
}
