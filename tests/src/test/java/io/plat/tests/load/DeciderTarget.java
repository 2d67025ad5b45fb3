package io.plat.tests.load;

import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A decider in mode RBAC with many bindings, of which one allows what is asked. */
record DeciderTarget(RunningServer server) implements ServerTarget {
    private static final int BINDINGS = 1000;

    static DeciderTarget start(TestPki pki, Path folder) throws IOException {
        StringBuilder manifests = new StringBuilder();
        for (int i = 0; i < BINDINGS; i++) {
            manifests.append("""
                    ---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: Role
                    metadata: {name: reader, namespace: team-%1$d}
                    rules: [{apiGroups: [""], resources: [pods, services], verbs: [get, list, watch]}]
                    ---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: RoleBinding
                    metadata: {name: readers, namespace: team-%1$d}
                    subjects: [{kind: User, name: user-%1$d, apiGroup: rbac.authorization.k8s.io}]
                    roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
                    """.formatted(i));
        }
        Path roles = Files.writeString(folder.resolve("roles.yaml"), manifests);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + roles));
        return new DeciderTarget(RunningServer.start(Program.DECIDER, flags));
    }

    @Override
    public String name() {
        return "decider";
    }
}
