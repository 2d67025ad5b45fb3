package io.plat.tests.process;

import java.nio.file.Path;

/** The programs, by their launchers. */
public enum Program {
    DECIDER("decider/bin/decider"),
    APISERVER_LITE("apiserver-lite/bin/apiserver-lite"),
    PLAT("cli/bin/plat");

    private final String launcher;

    Program(String launcher) {
        this.launcher = launcher;
    }

    /** Returns the launcher's absolute path. */
    public Path launcher() {
        return Checkout.path(launcher);
    }

    /**
     * Returns a launcher that runs the program in a JVM that it shares with others of these tests; in the full run, its own launcher.
     * Starting a JVM takes most of the CPU time of many a test. A test whose subject is the process itself uses {@link #launcher()}: its
     * memory, its environment, signals other than SIGTERM, or a second process on the same files. A command of {@link #PLAT} runs in the
     * working directory of the tests.
     */
    public Path reused() {
        if (Boolean.getBoolean("plat.full")) {
            return launcher();
        }
        return this == PLAT ? ReusedPlat.launcher() : ReusedServers.launcher(this);
    }

    /**
     * Writes a launcher that executes commands before this one.
     *
     * @param directory target directory
     * @param before commands of sh(1)
     */
    public Path launcherAfter(Path directory, String before) {
        return Scripts.write(
                directory.resolve("start"), "#!/bin/sh\n" + before + "\nexec \"" + launcher() + "\" \"$@\"\n");
    }
}
