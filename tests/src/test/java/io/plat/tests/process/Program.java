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

    /** The launcher's absolute path. */
    public Path launcher() {
        return Checkout.path(launcher);
    }
}
