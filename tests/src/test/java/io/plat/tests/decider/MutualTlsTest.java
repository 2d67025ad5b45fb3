package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The TLS handshake of a decider, tested with curl and openssl. A client without a valid certificate must get a TLS alert and no byte of
 * HTTP; under TLS 1.3 it may briefly consider the handshake complete.
 */
class MutualTlsTest {
    private static final Pattern ALERT = Pattern.compile("(?i)alert");

    /** In TLS 1.3 the client finishes first: curl may be sending when the alert arrives, and not read it. */
    private static final Pattern ALERT_OR_CUT_OFF = Pattern.compile("(?i)alert|curl: \\((55|56)\\)");

    private static TestPki pki;
    private static RunningServer decider;

    @BeforeAll
    static void start() {
        pki = TestPki.create()
                .client("caller")
                .client("not-allowed")
                .untrustedClient("stranger")
                .expiredClient("expired");
        decider = start("--allowed-client-names=caller");
    }

    private static RunningServer start(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        flags.addAll(List.of(more));
        return RunningServer.startReused(Program.DECIDER, flags);
    }

    @AfterAll
    static void stop() {
        decider.close();
        pki.close();
    }

    @ParameterizedTest(name = "curl over TLS {0} with the certificate \"{1}\"")
    @CsvSource({
        "1.2, caller,      200",
        "1.3, caller,      200",
        "1.3, not-allowed, 403",
        "1.2, '',          alert",
        "1.3, '',          alert",
        "1.2, stranger,    alert",
        "1.3, stranger,    alert",
        "1.2, expired,     alert",
        "1.3, expired,     alert",
        "1.2, server,      alert",
        "1.3, server,      alert",
    })
    void curl(String version, String certificate, String expected) {
        assumeTrue(Command.installed("curl"), "curl is not installed");
        Command curl = Command.of("curl", "--silent", "--show-error", "--include", "--cacert", pki.file("ca.crt"));
        curl = curl.with("--tlsv" + version, "--tls-max", version);
        if (!certificate.isEmpty()) {
            curl = curl.with("--cert", pki.file(certificate + ".crt"), "--key", pki.file(certificate + ".key"));
        }
        CompletedProcess finished = curl.with(decider.at("/version").toString()).run();
        if (expected.equals("alert")) {
            assertThat(finished.exitStatus()).as(finished.err()).isNotZero();
            assertThat(finished.err()).containsPattern(version.equals("1.2") ? ALERT : ALERT_OR_CUT_OFF);
            assertThat(finished.out()).isEmpty();
        } else {
            assertThat(finished.err()).isEmpty();
            assertThat(finished.out()).startsWith("HTTP/2 " + expected);
        }
    }

    @ParameterizedTest(name = "openssl s_client {0} with the certificate \"{1}\"")
    @CsvSource({
        "-tls1_2, caller,   true",
        "-tls1_3, caller,   true",
        "-tls1_2, '',       false",
        "-tls1_3, '',       false",
        "-tls1_3, stranger, false",
        "-tls1_3, expired,  false",
        "-tls1_2, server,   false",
        "-tls1_3, server,   false",
        "-tls1_1, caller,   false",
    })
    void openssl(String version, String certificate, boolean answered) {
        assumeTrue(Command.installed("openssl"), "openssl is not installed");
        Command openssl = Command.of("openssl", "s_client", "-quiet", version, "-CAfile", pki.file("ca.crt"));
        openssl = openssl.with("-connect", "localhost:" + decider.port(), "-servername", "localhost");
        if (!certificate.isEmpty()) {
            openssl = openssl.with("-cert", pki.file(certificate + ".crt"), "-key", pki.file(certificate + ".key"));
        }
        CompletedProcess finished = openssl.withInput(
                        "GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .run();
        assertThat(finished.out().startsWith("HTTP/1.1 200"))
                .as(finished.toString())
                .isEqualTo(answered);
        if (!answered) {
            assertThat(finished.out()).isEmpty();
        }
    }

    /** Through a tunnel or with an IP address, the client's server name differs from the certificate; verifying it is up to the client. */
    @Test
    void hostHeaderIsIgnored() {
        assumeTrue(Command.installed("curl"), "curl is not installed");
        CompletedProcess finished = Command.of("curl", "--silent", "--show-error", "--cacert", pki.file("ca.crt"))
                .with("--cert", pki.file("caller.crt"), "--key", pki.file("caller.key"))
                .with(
                        "--header",
                        "Host: decider.example",
                        decider.at("/version").toString())
                .run();
        assertThat(finished.err()).isEmpty();
        assertThat(finished.out()).contains("\"major\"");
    }

    /** plat does not issue such certificates. */
    @Test
    void certificateWithoutACommonNameIsRejected() {
        assumeTrue(Command.installed("curl"), "curl is not installed");
        assumeTrue(Command.installed("openssl"), "openssl is not installed");
        String key = pki.file("nameless.key");
        String request = pki.file("nameless.csr");
        String certificate = pki.file("nameless.crt");
        openssl("req -new -newkey rsa:2048 -nodes -subj /O=system:masters -keyout " + key + " -out " + request);
        openssl("x509 -req -days 1 -CAcreateserial -in " + request + " -out " + certificate + " -CA "
                + pki.file("ca.crt") + " -CAkey " + pki.file("ca.key"));
        try (RunningServer open = start("--reasons=none")) {
            CompletedProcess finished = Command.of("curl", "--silent", "--cacert", pki.file("ca.crt"))
                    .with("--cert", certificate, "--key", key)
                    .with("--json", "{}")
                    .with(open.at("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                            .toString())
                    .run();
            assertThat(finished.out()).contains("\"code\":401");
        }
    }

    @Test
    void deniedBrowserGetsHtml() throws IOException {
        try (HttpsClient client = HttpsClient.of(pki, "not-allowed").withHeader("Accept", "text/html,*/*;q=0.8")) {
            HttpResponse<String> page = client.get(decider.at("/ui"));
            assertThat(page.statusCode()).isEqualTo(403);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.body()).contains("<h1>403 Forbidden</h1>", "not-allowed");
            assertThat(client.get(decider.at("/authorize")).body()).startsWith("{");
        }
    }

    private static void openssl(String arguments) {
        CompletedProcess finished =
                Command.of("openssl").with(arguments.split(" ")).run();
        assertThat(finished.exitStatus()).as(finished.err()).isZero();
    }

    @Test
    void disallowedClientIsInformed() {
        assumeTrue(Command.installed("curl"), "curl is not installed");
        CompletedProcess finished = Command.of(
                        "curl",
                        "--silent",
                        "--cacert",
                        pki.file("ca.crt"),
                        "--cert",
                        pki.file("not-allowed.crt"),
                        "--key",
                        pki.file("not-allowed.key"),
                        "--json",
                        "{}",
                        decider.at("/authorize").toString())
                .run();
        assertThat(finished.out())
                .contains("\"kind\":\"Status\"", "\"reason\":\"Forbidden\"", "\"code\":403", "not-allowed");
    }
}
