package io.plat.tests.load;

import io.plat.tests.process.GoProgram;
import io.plat.tests.process.Listening;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Open Policy Agent with the same certificates and the same bindings, answering the same reviews. */
record OpaTarget(String name, Process process, int port) implements Target {
    private static final String MODULE = "github.com/open-policy-agent/opa@v1.9.0";

    /** Bindings by namespace and user, rules by namespace and role, sets as objects: each step is a look-up. */
    private static final String POLICY = """
            package rbac

            default review := {"status": {"allowed": false}}

            review := {"status": {"allowed": true, "reason": role}} if {
              attributes := input.spec.resourceAttributes
              some role in data.bindings[attributes.namespace][input.spec.user]
              some rule in data.roles[attributes.namespace][role]
              rule.verbs[attributes.verb]
              rule.apiGroups[object.get(attributes, "group", "")]
              rule.resources[attributes.resource]
              named(rule, attributes)
            }

            named(rule, _) if not rule.resourceNames

            named(rule, attributes) if rule.resourceNames[attributes.name]
            """;

    /** Where its program is; empty where it can't be had. */
    static Optional<String> program() {
        return GoProgram.find("opa", MODULE);
    }

    static OpaTarget start(String program, String name, TestPki pki, Path folder, String document) throws IOException {
        int port = Listening.freePort();
        Path policy = Files.writeString(folder.resolve("rbac.rego"), POLICY);
        Path data = Files.writeString(folder.resolve("data.json"), document);
        Process process = new ProcessBuilder(
                        program,
                        "run",
                        "--server",
                        "--addr=127.0.0.1:" + port,
                        "--tls-cert-file=" + pki.file("server.crt"),
                        "--tls-private-key-file=" + pki.file("server.key"),
                        "--tls-ca-cert-file=" + pki.file("ca.crt"),
                        "--authentication=tls",
                        "--disable-telemetry",
                        "--log-level=error",
                        policy.toString(),
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("opa.out").toFile())
                .start();
        Listening.awaitOn(port, "opa", process, folder.resolve("opa.out"));
        return new OpaTarget(name, process, port);
    }

    @Override
    public String path() {
        return "/v0/data/rbac/review";
    }

    /** Not over TLS with a configuration of its own. */
    @Override
    public boolean http2() {
        return false;
    }

    @Override
    public long[] pids() {
        return new long[] {process.pid()};
    }

    @Override
    public void close() {
        process.destroy();
    }
}
