package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.TestingClient.Answer;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticationEndToEndTest {
    private static final String WHO_AM_I = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private final Path directory;

    AuthenticationEndToEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private TestingApiServer start(String... more) throws IOException, UsageException, StartException {
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "s3cret,bob,7,\"dev,ops\"\n");
        String[] flags = new String[more.length + 2];
        flags[0] = "--authorization-mode=AlwaysAllow";
        flags[1] = "--token-auth-file=" + tokens;
        System.arraycopy(more, 0, flags, 2, more.length);
        return TestingApiServer.start(directory, flags);
    }

    private static String whoAmI(TestingClient client) throws IOException {
        Answer answer = client.post(WHO_AM_I, "{}");
        if (answer.code() != 201) {
            assertThat(answer.code()).isEqualTo(401);
            assertThat(answer.body())
                    .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                            + "\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}");
            return "401";
        }
        var user = answer.json().path("status").path("userInfo");
        return user.path("username").asText() + " " + user.path("groups");
    }

    @Test
    void credentialsAuthenticateTheirUserOrAreRejected() throws Exception {
        try (TestingApiServer server = start()) {
            TestingPki pki = server.pki();
            assertThat(whoAmI(server.user("alice", "dev"))).isEqualTo("alice [\"dev\",\"system:authenticated\"]");
            assertThat(whoAmI(server.token("s3cret"))).isEqualTo("bob [\"dev\",\"ops\",\"system:authenticated\"]");
            assertThat(whoAmI(server.anonymous())).isEqualTo("system:anonymous [\"system:unauthenticated\"]");

            assertThat(whoAmI(server.token("nope"))).isEqualTo("401");
            assertThat(whoAmI(server.anonymous().with("Authorization", "Basic Ym9iOnMzY3JldA==")))
                    .isEqualTo("401");
            assertThat(whoAmI(server.client(pki.clientOfAnotherAuthority("alice", "system:masters"))))
                    .isEqualTo("401");
            assertThat(whoAmI(server.client(pki.clientWithAServersCertificate())))
                    .isEqualTo("401");
            assertThat(whoAmI(server.client(pki.clientWhoseCertificateExpired("alice"))))
                    .isEqualTo("401");
        }
    }

    @Test
    void credentialIsRequiredWithAnonymousAuthDisabled() throws Exception {
        try (TestingApiServer server = start("--anonymous-auth=false")) {
            assertThat(whoAmI(server.anonymous())).isEqualTo("401");
            assertThat(whoAmI(server.token("s3cret"))).startsWith("bob ");
        }
    }

    @Test
    void rejectedCredentialIs401OnEveryPath() throws Exception {
        try (TestingApiServer server = start("--authorization-always-allow-paths=/healthz,/livez*")) {
            for (String path : new String[] {"/healthz", "/livez", "/version", "/api/v1/pods", "/nope"}) {
                assertThat(server.token("nope").get(path).code()).as(path).isEqualTo(401);
            }
        }
    }
}
