package io.plat.cli.process;

/** The exit codes of plat (contract, "plat"). A script can distinguish "no" from a failure. */
public final class ExitStatus {
    /** Yes, or nothing to report. */
    public static final int YES = 0;

    /** No, or something to report. */
    public static final int NO = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** There is no answer: unreachable, refused, malformed or unreadable input, or a defect of this program. */
    public static final int UNDETERMINED = 3;

    private ExitStatus() {}
}
