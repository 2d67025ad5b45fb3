package io.plat.tests.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

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

    /**
     * A launcher that does something before it becomes this one.
     *
     * @param folder where to put it
     * @param before commands of sh(1)
     */
    public Path launcherAfter(Path folder, String before) throws IOException {
        Path script = folder.resolve("start");
        Files.writeString(script, "#!/bin/sh\n" + before + "\nexec \"" + launcher() + "\" \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script;
    }
}
