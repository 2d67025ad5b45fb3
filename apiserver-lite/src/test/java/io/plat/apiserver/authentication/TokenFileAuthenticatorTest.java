package io.plat.apiserver.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.http.authentication.TestingCredentials;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileAuthenticatorTest {
    private static final FileWatch.Settings QUICK =
            new FileWatch.Settings(Duration.ofMillis(5), Duration.ofMillis(20), true);

    private static final List<String> API = List.of("api");

    private final Path directory;
    private final List<Boolean> reloads = new CopyOnWriteArrayList<>();

    TokenFileAuthenticatorTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Path write(String text) throws IOException {
        Path whole = Files.writeString(directory.resolve("new"), text);
        return Files.move(whole, directory.resolve("tokens.csv"), StandardCopyOption.ATOMIC_MOVE);
    }

    private TokenFileAuthenticator open(String text) throws IOException, ProblemsException {
        return TokenFileAuthenticator.open(write(text), API, QUICK, reloads::add);
    }

    private static Authentication authenticate(TokenFileAuthenticator authenticator, TestingCredentials credentials) {
        return new BearerTokenAuthenticator(List.of(authenticator), API).authenticate(credentials);
    }

    @Test
    void authenticatesByToken() throws IOException, ProblemsException {
        try (TokenFileAuthenticator authenticator = open("s3cret,alice,1,\"dev\"\n")) {
            for (String header : List.of("Bearer s3cret", "bearer s3cret", "BEARER  s3cret ")) {
                assertThat(authenticate(authenticator, TestingCredentials.authorization(header)))
                        .isInstanceOfSatisfying(
                                Authenticated.class,
                                proven -> assertThat(proven.user().name()).isEqualTo("alice"));
            }
        }
    }

    @Test
    void rejectsUnknownTokensWithoutRepeatingThem() throws IOException, ProblemsException {
        try (TokenFileAuthenticator authenticator = open("s3cret,alice,1\n")) {
            assertThat(authenticate(authenticator, TestingCredentials.token("hunter2")))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason()).doesNotContain("hunter2"));
        }
    }

    @Test
    void tokensHaveTheAudienceOfThisServer() throws IOException, ProblemsException {
        try (TokenFileAuthenticator authenticator = open("s3cret,alice,1\n")) {
            assertThat(authenticator.authenticate("s3cret", List.of("vault"))).isEqualTo(Absent.ABSENT);
            assertThat(authenticator.authenticate("s3cret", List.of("vault", "api")))
                    .isInstanceOfSatisfying(
                            Authenticated.class,
                            proven -> assertThat(proven.audiences()).containsExactly("api"));
        }
    }

    @Test
    void reloadsAChangedFileAndKeepsTheLastValidOne() throws IOException, ProblemsException {
        try (TokenFileAuthenticator authenticator = open("one,alice,1\n")) {
            write("two,alice,1\n");
            await().until(() -> authenticate(authenticator, TestingCredentials.token("two")) instanceof Authenticated);
            assertThat(authenticate(authenticator, TestingCredentials.token("one")))
                    .isInstanceOf(Refused.class);

            write("three\n");
            await().until(() -> reloads.contains(false));
            assertThat(authenticate(authenticator, TestingCredentials.token("two")))
                    .isInstanceOf(Authenticated.class);

            write("four,alice,1\n");
            await().until(() -> authenticate(authenticator, TestingCredentials.token("four")) instanceof Authenticated);
        }
    }

    @Test
    void reportsAnUnusableFile() throws IOException {
        Path missing = directory.resolve("missing.csv");
        assertThatThrownBy(() -> TokenFileAuthenticator.open(missing, API, QUICK, reloads::add))
                .isInstanceOf(ProblemsException.class)
                .hasMessage(missing + ": cannot read: no such file");
        Path latin = Files.write(directory.resolve("latin.csv"), new byte[] {'a', ',', (byte) 0xe9, ',', '1'});
        assertThatThrownBy(() -> TokenFileAuthenticator.open(latin, API, QUICK, reloads::add))
                .hasMessage(latin + ":1: not valid UTF-8");
        assertThatThrownBy(() -> TokenFileAuthenticator.open(directory, API, QUICK, reloads::add))
                .hasMessage(directory + ": cannot read: is a directory");
    }
}
