package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Client configuration files next to a {@link TestPki}'s certificates, with relative paths as users write them. */
public final class ClientFiles {
    private ClientFiles() {}

    /** Returns the file for a client certificate; its namespace is {@code team-a}. */
    public static Path write(TestPki pki, String fileName, URI server, String certificate) {
        String text = """
                apiVersion: v1
                kind: Config
                clusters:
                - name: server
                  cluster:
                    certificate-authority: ca.crt
                    server: %s
                users:
                - name: me
                  user:
                    client-certificate: %s.crt
                    client-key: %s.key
                contexts:
                - name: here
                  context: {cluster: server, user: me, namespace: team-a}
                current-context: here
                """.formatted(server, certificate, certificate);
        try {
            return Files.writeString(pki.directory().resolve(fileName), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
