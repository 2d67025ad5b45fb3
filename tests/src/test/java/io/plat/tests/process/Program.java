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
     * Writes a launcher that executes commands before this one.
     *
     * @param folder target folder
     * @param before commands of sh(1)
     */
    public Path launcherAfter(Path folder, String before) {
        return Scripts.write(
                folder.resolve("start"), "#!/bin/sh\n" + before + "\nexec \"" + launcher() + "\" \"$@\"\n");
    }
}
