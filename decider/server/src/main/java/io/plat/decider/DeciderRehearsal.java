package io.plat.decider;

import io.plat.http.process.Rehearsal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;

/** Training run of the decider during the build, so that the JVM starts faster; see {@link Rehearsal}. */
public final class DeciderRehearsal {
    private static final int BINDINGS = 300;
    private static final int REVIEWS = 500;

    private DeciderRehearsal() {}

    /** Runs it. Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Rehearsal rehearsal = new Rehearsal()) {
            StringBuilder manifests = new StringBuilder();
            StringJoiner items = new StringJoiner(",", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", "]}");
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < BINDINGS; i++) {
                manifests.append(binding(i));
                items.add(listed(BINDINGS + i));
                lines.append(
                                "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"")
                        .append("reader-")
                        .append(i)
                        .append("\",\"namespace\":\"*\",\"resource\":\"*\",\"apiGroup\":\"*\",\"readonly\":true}}\n");
            }
            Path roles = Files.createDirectory(rehearsal.file("roles"));
            Files.writeString(roles.resolve("roles.yaml"), manifests);
            Files.writeString(roles.resolve("roles.json"), items.toString());
            Files.writeString(rehearsal.file("policy.jsonl"), lines);
            List<String> flags = List.of(
                    "--authorization-mode=ABAC,RBAC",
                    "--authorization-policy-file=" + rehearsal.file("policy.jsonl"),
                    "--authorization-rbac-path=" + roles);
            addRequests(rehearsal);
            rehearsal.run(new DeciderProgram("rehearsal"), flags);
        }
    }

    private static String binding(int i) {
        return """
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
            """.formatted(i);
    }

    private static String listed(int i) {
        return """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"reader","namespace":"team-%1$d"},
             "rules":[{"apiGroups":[""],"resources":["pods","services"],"verbs":["get","list","watch"]}]},
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"readers","namespace":"team-%1$d"},
             "subjects":[{"kind":"User","name":"user-%1$d","apiGroup":"rbac.authorization.k8s.io"}],
             "roleRef":{"kind":"Role","name":"reader","apiGroup":"rbac.authorization.k8s.io"}}\
            """.formatted(i);
    }

    private static void addRequests(Rehearsal rehearsal) {
        rehearsal.request("GET", "/readyz", "");
        rehearsal.request("GET", "/metrics", "");
        for (int i = 0; i < REVIEWS; i++) {
            rehearsal.request("POST", "/authorize", review(i % (2 * BINDINGS + 10)));
        }
    }

    private static String review(int i) {
        return "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"user-"
                + i
                + "\",\"groups\":[\"system:authenticated\"],\"resourceAttributes\":{\"namespace\":\"team-" + i
                + "\",\"verb\":\"get\",\"version\":\"v1\",\"resource\":\"pods\",\"name\":\"web-0\"}}}";
    }
}
