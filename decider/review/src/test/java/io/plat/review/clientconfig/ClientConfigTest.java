package io.plat.review.clientconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceReader;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ClientConfigTest {
    private static final String SERVER = "{server: \"https://localhost\"}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void files() throws IOException {
        for (String name : List.of("ca.crt", "client.crt", "client.key")) {
            Files.writeString(directory.resolve(name), "PEM of " + name);
        }
        Files.writeString(directory.resolve("token"), "  from-file\n");
        Files.createDirectory(directory.resolve("directory"));
    }

    @TestFactory
    Stream<DynamicTest> everyProblemIsReportedWithItsLine() throws Exception {
        try (var in = Objects.requireNonNull(ClientConfigTest.class.getResourceAsStream("refused.yaml"))) {
            Sequence table = (Sequence)
                    SourceReader.readYaml("refused.yaml", in.readAllBytes()).getFirst();
            List<Problem> problems = new ArrayList<>();
            return table.items().stream()
                    .map(row -> SourceFields.of(row, "", problems))
                    .map(row -> DynamicTest.dynamicTest(row.string("name"), () -> check(row)));
        }
    }

    private void check(SourceFields row) throws IOException {
        Path file = write(row.has("config") ? row.string("config") : config(row.string("cluster"), row.string("user")));
        List<String> found =
                catchThrowableOfType(
                                ProblemsException.class,
                                () -> ClientConfig.read(file).resolve())
                        .problems()
                        .stream()
                        .map(Problem::toString)
                        .map(problem -> problem.substring(file.toString().length()))
                        .toList();
        List<String> expected = row.strings("problems").stream()
                .map(problem -> problem.replace("DIRECTORY", directory.toString()))
                .toList();
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).startsWith(expected.get(i)).doesNotContain("SECRET", "7365637265");
        }
    }

    /** The cluster is on line 5 and the user on line 8. */
    private static String config(String cluster, String user) {
        return """
                current-context: x
                contexts: [{name: x, context: {cluster: c, user: u, namespace: team-a}}]
                clusters:
                  - name: c
                    cluster: %s
                users:
                  - name: u
                    user: %s
                """.formatted(cluster.isEmpty() ? SERVER : cluster, user.isEmpty() ? "{}" : user);
    }

    @Test
    void readsTheSpecificationsOwnExample() throws Exception {
        ServerConnection connection = ClientConfig.read(write("""
                # clusters refers to the remote service.
                clusters:
                  - name: name-of-remote-authz-service
                    cluster:
                      certificate-authority: ca.crt
                      server: https://authz.example.com/authorize
                # users refers to the API server's webhook configuration.
                users:
                  - name: name-of-api-server
                    user:
                      client-certificate: client.crt
                      client-key: client.key
                current-context: webhook
                contexts:
                - context:
                    cluster: name-of-remote-authz-service
                    user: name-of-api-server
                  name: webhook
                """)).resolveForWebhook();
        assertThat(connection.server()).isEqualTo(URI.create("https://authz.example.com/authorize"));
        assertThat(path(connection.authorities())).isEqualTo(directory.resolve("ca.crt"));
        assertThat(path(connection.certificate())).isEqualTo(directory.resolve("client.crt"));
        assertThat(path(connection.key())).isEqualTo(directory.resolve("client.key"));
        assertThat(connection.token()).isNull();
        assertThat(connection.serverName()).isEmpty();
        assertThat(connection.where().line()).isEqualTo(5);
        ClientTls.Config tls = connection.tls();
        assertThat(tls.authorities()).isSameAs(connection.authorities());
        assertThat(tls.serverName()).isNull();
    }

    @Test
    void fieldsOfOtherClientsAreTolerated() throws Exception {
        ServerConnection connection = ClientConfig.read(write("""
                apiVersion: v1
                kind: Config
                preferences: {colors: true}
                extensions: [{name: x, extension: {}}]
                unknown: 1
                current-context: x
                contexts:
                  - name: x
                    context: {cluster: c, user: u, namespace: team-a, extensions: [], other: 1}
                  - {name: broken, context: {cluster: old, user: old}}
                clusters:
                  - name: c
                    cluster:
                      server: "https://localhost:6443"
                      tls-server-name: api.example
                      insecure-skip-tls-verify: false
                      disable-compression: true
                      proxy-url: ""
                      extensions: []
                  - {name: old, cluster: {server: "http://old", insecure-skip-tls-verify: true}}
                users:
                  - {name: u, user: {token: t, username: "", exec: null, extensions: []}}
                  - {name: old, user: {exec: {command: x}}}
                """)).resolve();
        assertThat(connection.namespace()).isEqualTo("team-a");
        assertThat(connection.tls().serverName()).isEqualTo("api.example");
        assertThat(Objects.requireNonNull(connection.token()).read()).isEqualTo("t");
        assertThat(connection.authorities()).isNull();
    }

    @Test
    void inlineContentsAreBase64() throws Exception {
        String config = config(
                "{server: \"https://localhost\", certificate-authority-data: \"UEVN\\nIG9m IENB\"}",
                "{client-certificate-data: QQ==, client-key-data: Qg==}");
        Path file = write(config);
        ServerConnection connection = ClientConfig.read(file).resolveForWebhook();
        assertThat(Objects.requireNonNull(connection.authorities()).path()).isEmpty();
        assertThat(connection.authorities().name()).isEqualTo(file + ":5: certificate-authority-data");
        assertThat(Objects.requireNonNull(connection.key()).name()).isEqualTo(file + ":8: client-key-data");
    }

    @Test
    void aTokenFileIsReadOnDemand() throws Exception {
        BearerToken token = Objects.requireNonNull(ClientConfig.read(write(config("", "{tokenFile: token}")))
                .resolve()
                .token());
        assertThat(token.read()).isEqualTo("from-file");
        Files.writeString(directory.resolve("token"), "newer");
        assertThat(token.read()).isEqualTo("newer");
        Files.writeString(directory.resolve("token"), " \n");
        assertThatThrownBy(token::read).hasMessage(directory.resolve("token") + ": the token is empty");
        Files.writeString(directory.resolve("token"), "a\nX-Other: b");
        assertThatThrownBy(token::read).hasMessage(directory.resolve("token") + ": the token has an invalid character");
        Files.delete(directory.resolve("token"));
        assertThatThrownBy(token::read).hasMessage(directory.resolve("token") + ": cannot read: no such file");
    }

    @Test
    void aWebhookRequiresAnAuthority() throws Exception {
        Path file = write(config("", ""));
        assertThat(ClientConfig.read(file).resolve().authorities()).isNull();
        assertThatThrownBy(() -> ClientConfig.read(file).resolveForWebhook())
                .isInstanceOf(ProblemsException.class)
                .hasMessage(file + ":5: certificate-authority: required, "
                        + "the system's certificate authorities are not trusted for a remote decider");
    }

    @Test
    void aContextCanBeSelectedByName() throws Exception {
        Path file = write(config("", ""));
        ClientConfig config = ClientConfig.read(file);
        assertThat(config.contexts()).containsExactly("x");
        assertThat(config.currentContext()).isEqualTo("x");
        assertThat(config.resolve("x").namespace()).isEqualTo("team-a");
        assertThatThrownBy(() -> config.resolve("y")).hasMessage(file + ": no context \"y\", expected one of \"x\"");
    }

    @Test
    void manyNamesAreNotAllListed() throws Exception {
        StringBuilder config = new StringBuilder("current-context: none\ncontexts:\n");
        for (int i = 0; i < 12; i++) {
            config.append("  - {name: c").append(i).append(", context: {}}\n");
        }
        assertThatThrownBy(() -> ClientConfig.read(write(config.toString())).resolve())
                .message()
                .endsWith("\"c9\", …");
    }

    @Test
    void noCredentialIsShown() throws Exception {
        ClientConfig config = ClientConfig.read(
                write(config("", "{token: SECRET, client-certificate-data: QQ==, client-key-data: U0VDUkVU}")));
        assertThat(config.toString() + config.resolve()).doesNotContain("SECRET", "U0VDUkVU");
    }

    @Test
    void anInvalidConnectionIsABug() {
        Location where = new Location("f", 1);
        assertThatThrownBy(() -> new ServerConnection(where, URI.create("http://x"), null, "", null, null, null, ""))
                .isInstanceOf(IllegalArgumentException.class);
        PemSource pem = PemSource.inline("x", new byte[] {1});
        assertThatThrownBy(() -> new ServerConnection(where, URI.create("https://x"), null, "", pem, null, null, ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Path path(@Nullable PemSource source) {
        return Objects.requireNonNull(source).path().orElseThrow();
    }

    private Path write(String config) throws IOException {
        return Files.writeString(directory.resolve("config"), config);
    }
}
