package io.plat.tests.load;

import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An apiserver-lite, by default with RBAC authorization in its own process. */
record ApiServerTarget(RunningServer server) implements ServerTarget {
    private static final List<String> ROLES =
            List.of("--authorization-mode=RBAC", "--runtime-config=rbac.authorization.plat.io/v1alpha1=true");

    static ApiServerTarget start(TestPki pki, Path data) {
        return start(pki, data, ROLES.toArray(String[]::new));
    }

    /** Starts one on etcd. */
    static ApiServerTarget startOnEtcd(TestPki pki, EtcdServer etcd) {
        return start(pki, List.of("--storage-backend=etcd3", "--etcd-servers=" + etcd.url()), ROLES);
    }

    /** Starts one with authorization flags. */
    static ApiServerTarget start(TestPki pki, Path data, String... authorization) {
        return start(pki, List.of("--data-dir=" + data), List.of(authorization));
    }

    private static ApiServerTarget start(TestPki pki, List<String> storage, List<String> authorization) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(storage);
        flags.addAll(authorization);
        return new ApiServerTarget(RunningServer.start(Program.APISERVER_LITE, flags));
    }

    /** Creates namespaces, and a role that allows a user everything in them. */
    void allow(HttpsClient admin, String user, String... namespaces) throws IOException {
        for (String namespace : namespaces) {
            made(admin, "/api/v1/namespaces", """
                    {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}""".formatted(namespace));
            String path = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace;
            made(admin, path + "/roles", """
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"all"},
                     "rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["*"]}]}""");
            made(admin, path + "/rolebindings", """
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"all"},
                     "subjects":[{"kind":"User","name":"%s","apiGroup":"rbac.authorization.k8s.io"}],
                     "roleRef":{"kind":"Role","name":"all","apiGroup":"rbac.authorization.k8s.io"}}""".formatted(user));
        }
    }

    /** Creates an object. */
    void made(HttpsClient admin, String path, String object) throws IOException {
        var answer = admin.post(server.at(path), object);
        if (answer.statusCode() != 201) {
            throw new IOException(path + " was answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    /** Returns a metric of the server; 0 if it is missing. */
    double metric(HttpsClient admin, String name) throws IOException {
        return Metrics.of(admin, server.at("/metrics"))
                .sum(series -> series.equals(name) || series.startsWith(name + "{"));
    }

    @Override
    public String name() {
        return "apiserver-lite";
    }
}
