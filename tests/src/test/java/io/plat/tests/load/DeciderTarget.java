package io.plat.tests.load;

import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A decider in mode RBAC. */
record DeciderTarget(String name, RunningServer server) implements ServerTarget {
    private static final int BINDINGS_A_FILE = 10_000;

    /** Starts it with this many bindings. */
    static DeciderTarget start(String name, TestPki pki, PolicyShape shape, int bindings, String... more)
            throws IOException {
        Path roles = Files.createTempDirectory(pki.directory(), "roles");
        for (int from = 0; from < bindings; from += BINDINGS_A_FILE) {
            int to = Math.min(bindings, from + BINDINGS_A_FILE);
            Files.writeString(roles.resolve("roles-" + from + ".json"), shape.manifests(from, to));
        }
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + roles));
        flags.addAll(List.of(more));
        return new DeciderTarget(name, RunningServer.start(Program.DECIDER, flags));
    }
}
