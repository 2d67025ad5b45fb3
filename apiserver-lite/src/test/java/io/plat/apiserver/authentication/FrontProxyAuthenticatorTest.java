package io.plat.apiserver.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.authentication.FrontProxyAuthenticator.HeaderNames;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.Credentials;
import io.plat.review.UserInfo;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrontProxyAuthenticatorTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final CertificateAuthority PROXIES =
            CertificateAuthority.create("proxies", Duration.ofDays(1), CLOCK);
    private static final CertificateAuthority CLIENTS =
            CertificateAuthority.create("clients", Duration.ofDays(1), CLOCK);
    private static final HeaderNames NAMES = new HeaderNames(
            List.of("X-Remote-User", "X-User"),
            List.of("X-Remote-Uid"),
            List.of("X-Remote-Group", "X-Group"),
            List.of("X-Remote-Extra-"));

    /** A request with a certificate and header fields. */
    private record Sent(List<X509Certificate> certificates, Map<String, List<String>> fields) implements Credentials {
        @Override
        public List<String> headers(String name) {
            return fields.getOrDefault(name, List.of());
        }

        @Override
        public Collection<String> headerNames() {
            return fields.keySet();
        }
    }

    /** A request of a client, with headers written {@code Name: value | Name: value}. */
    private static Sent sent(String from, String fields) {
        List<X509Certificate> chain = switch (from) {
            case "proxy", "other" ->
                PROXIES.issue(CertificateRequest.client(from)).chain();
            case "server" ->
                PROXIES.issue(CertificateRequest.server("proxy", "localhost")).chain();
            case "client" -> CLIENTS.issue(CertificateRequest.client("proxy")).chain();
            default -> List.of();
        };
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String field : fields.split(" \\| ", -1)) {
            String[] parts = field.split(": ?", 2);
            all.computeIfAbsent(parts[0].strip(), name -> new ArrayList<>()).add(parts[1].strip());
        }
        return new Sent(chain, all);
    }

    private static FrontProxyAuthenticator authenticator(List<String> allowed) {
        return authenticator(allowed, CLIENTS);
    }

    private static FrontProxyAuthenticator authenticator(List<String> allowed, CertificateAuthority ofClients) {
        return new FrontProxyAuthenticator(verifier(PROXIES), verifier(ofClients), allowed, NAMES);
    }

    private static CertificateVerifier verifier(CertificateAuthority authority) {
        TrustBundle trust = new TrustBundle(List.of(authority.certificate()));
        return new CertificateVerifier(() -> trust, CertificateUsage.CLIENT, CLOCK);
    }

    /** Otherwise every client could impersonate anyone. */
    @Test
    void clientCertificateIsNoProxyWithoutAllowedNames() {
        Sent sent = sent("proxy", "X-Remote-User: alice");
        assertThat(authenticator(List.of(), PROXIES).authenticate(sent)).isInstanceOf(Refused.class);
        assertThat(authenticator(List.of("proxy"), PROXIES).authenticate(sent)).isInstanceOf(Authenticated.class);
        assertThat(authenticator(List.of(), CLIENTS).authenticate(sent)).isInstanceOf(Authenticated.class);
    }

    private static UserInfo proven(String fields) {
        return ((Authenticated) authenticator(List.of()).authenticate(sent("proxy", fields))).user();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        proxy  ; ''        ; X-Remote-User: bob ; bob
        proxy  ; proxy     ; X-Remote-User: bob ; bob
        proxy  ; x,proxy   ; x-remote-USER: bob ; bob
        other  ; proxy     ; X-Remote-User: bob ; refused
        other  ; ''        ; X-Remote-User: bob ; bob
        server ; ''        ; X-Remote-User: bob ; absent
        client ; ''        ; X-Remote-User: bob ; absent
        client ; proxy     ; X-Remote-User: bob ; absent
        client ; ''        ; Accept: bob        ; absent
        nobody ; ''        ; X-Remote-User: bob ; absent
        proxy  ; ''        ; Accept: bob        ; absent
        proxy  ; ''        ; X-Remote-User:     ; absent
        proxy  ; ''        ; X-Remote-Group: g  ; absent
        """)
    void certificateMustBeOfTheProxyAuthorityWithAnAllowedName(
            String from, String allowed, String fields, String expected) {
        List<String> names = allowed.isEmpty() ? List.of() : List.of(allowed.split(",", -1));
        Authentication answer = authenticator(names).authenticate(sent(from, fields));
        assertThat(
                        switch (answer) {
                            case Authenticated proven -> proven.user().name();
                            case Refused refused -> "refused";
                            case Undecided undecided -> "undecided: " + undecided.reason();
                            case Absent absent -> "absent";
                        })
                .isEqualTo(expected);
    }

    @Test
    void headersDefineTheUser() {
        UserInfo user = proven("X-Remote-User: bob | X-Remote-Uid: 7 | X-Remote-Group: a | X-Remote-Group: b"
                + " | X-Group: c | X-Group: a | X-Group: | X-Remote-Extra-Scopes: x | X-Remote-Extra-Scopes: y"
                + " | X-Remote-Extra-acme.com%2Fproject: p | X-Remote-Extra-%zz: z");
        assertThat(user.name()).isEqualTo("bob");
        assertThat(user.uid()).isEqualTo("7");
        assertThat(user.groups()).containsExactly("a", "b", "c");
        assertThat(user.extra())
                .isEqualTo(Map.of("scopes", List.of("x", "y"), "acme.com/project", List.of("p"), "%zz", List.of("z")));
    }

    @Test
    void firstNonEmptyHeaderIsUsed() {
        assertThat(proven("X-User: carol | X-Remote-User: bob").name()).isEqualTo("bob");
        assertThat(proven("X-User: carol").name()).isEqualTo("carol");
        assertThat(proven("X-User: carol | X-Remote-User:").name()).isEqualTo("carol");
    }

    @ParameterizedTest
    @CsvSource({
        "X-Remote-User, true",
        "x-remote-user, true",
        "X-REMOTE-UID, true",
        "X-Group, true",
        "x-remote-extra-foo, true",
        "X-Remote-Extra, false",
        "X-Remote-Users, false",
        "Authorization, false",
    })
    void headersAreRecognizedByName(String name, boolean expected) {
        assertThat(NAMES.includes(name)).isEqualTo(expected);
    }
}
