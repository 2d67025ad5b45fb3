package io.plat.decider;

import io.plat.http.process.ServerProcess;
import java.util.Objects;

/** Main class of the decider. */
public final class Decider {
    private Decider() {}

    /** Runs a decider until it is stopped. */
    public static void main(String... arguments) {
        ServerProcess.run(new DeciderProgram(version()), arguments);
    }

    private static String version() {
        return Objects.requireNonNullElse(Decider.class.getPackage().getImplementationVersion(), "unbuilt");
    }
}
