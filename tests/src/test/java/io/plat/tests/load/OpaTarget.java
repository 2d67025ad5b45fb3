package io.plat.tests.load;

import io.plat.engine.rbac.RbacPolicy;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.GoProgram;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Open Policy Agent with the same certificates, deciding the same reviews by the same role objects. */
record OpaTarget(String name, Process process, int port) implements Target {
    private static final String PROGRAM = "opa";
    private static final String MODULE = "github.com/open-policy-agent/opa@v1.9.0";

    /** Returns the path of its program, if it is installed. */
    static Optional<String> programThatIsThere() {
        return GoProgram.there(PROGRAM);
    }

    /** Returns the path of its program; empty if it is unavailable. */
    static Optional<String> program() {
        return GoProgram.find(PROGRAM, MODULE);
    }

    /**
     * Starts it.
     *
     * @param more flags in addition to those for the address and the certificates
     */
    static OpaTarget start(String program, String name, TestPki pki, Path directory, RbacPolicy policy, String... more)
            throws IOException {
        int port = ForeignServer.freePort();
        Path rules = directory.resolve("rbac.rego");
        try (InputStream written = OpaTarget.class.getResourceAsStream("rbac.rego")) {
            Files.write(rules, Objects.requireNonNull(written).readAllBytes());
        }
        Path data = Files.writeString(directory.resolve("data.json"), "{\"policy\":" + RegoDocument.of(policy) + "}");
        List<String> command = new ArrayList<>(List.of(
                program,
                "run",
                "--server",
                "--addr=127.0.0.1:" + port,
                "--tls-cert-file=" + pki.file("server.crt"),
                "--tls-private-key-file=" + pki.file("server.key"),
                "--tls-ca-cert-file=" + pki.file("ca.crt"),
                "--authentication=tls",
                "--disable-telemetry",
                "--log-level=error"));
        command.addAll(List.of(more));
        command.addAll(List.of(rules.toString(), data.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("opa.out").toFile())
                .start();
        ForeignServer.awaitOn(port, "opa", process, directory.resolve("opa.out"));
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
