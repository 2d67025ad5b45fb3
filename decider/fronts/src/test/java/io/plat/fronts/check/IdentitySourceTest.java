package io.plat.fronts.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.net.URLEncoder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentitySourceTest {
    private static final CertificateAuthority AUTHORITY = authority();
    private static final X509Certificate ALICE = issued(AUTHORITY, CertificateRequest.client("alice", "ops"));
    private static final HeaderIdentity HEADERS = new HeaderIdentity("X-Forwarded-User", "X-Forwarded-Groups");

    private static CertificateAuthority authority() {
        return CertificateAuthority.create("an authority", Duration.ofDays(1), InstantSource.system());
    }

    private static X509Certificate issued(CertificateAuthority authority, CertificateRequest request) {
        return authority.issue(request).chain().getFirst();
    }

    private static CertificateIdentity certificates(CertificateIdentity.Form form) {
        TrustBundle trusted =
                new TrustBundle(List.of(AUTHORITY.identity().chain().getFirst()));
        return CertificateIdentity.of(
                form, new CertificateVerifier(() -> trusted, CertificateUsage.CLIENT, InstantSource.system()));
    }

    private static String pem(X509Certificate... chain) {
        return URLEncoder.encode(PemText.certificates(List.of(chain)), UTF_8).replace("+", "%20");
    }

    /** The user and its groups, or the status. */
    private static String identity(IdentitySource source, String... fields) {
        try {
            UserInfo user = source.identify(TestingFields.of(fields));
            return user.name() + " " + String.join(" ", user.groups());
        } catch (StatusException e) {
            return String.valueOf(e.status().code());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        X-Forwarded-User: alice                                                      | alice system:authenticated
        X-Forwarded-User: alice; x-forwarded-groups: a, b,, a; X-Forwarded-Groups: c | alice a b c system:authenticated
        X-Forwarded-User: alice; X-Forwarded-Groups: a, system:masters               | 400
        X-Forwarded-User:                                                            | 401
        X-Forwarded-Groups: a                                                        | 401
        X-Forwarded-User: alice; x-forwarded-user: alice                             | 400
        X-Forwarded-User: alice, bob                                                 | 400
        Authorization: Bearer a; X-Forwarded-Client-Cert: Cert=a                     | 401
        """)
    void headersIdentifyAUser(String fields, String expected) {
        assertThat(identity(HEADERS, fields.split("; ", -1))).isEqualTo(expected);
    }

    @Test
    void ambiguousNamesAreRefused() {
        for (String name : List.of("a\u0000", "a\u202eb", "a\u200bb", "a\u007f")) {
            assertThat(identity(HEADERS, "X-Forwarded-User: " + name + "x")).isEqualTo("400");
            assertThat(identity(HEADERS, "X-Forwarded-User: a", "X-Forwarded-Groups: " + name + "x"))
                    .isEqualTo("400");
        }
        for (String space : List.of("\u3000", "\u2003", "\u2028")) {
            assertThat(identity(HEADERS, "X-Forwarded-User: a" + space)).isEqualTo("400");
            assertThat(identity(HEADERS, "X-Forwarded-User: " + space + "a")).isEqualTo("400");
            assertThat(identity(HEADERS, "X-Forwarded-User: a", "X-Forwarded-Groups: b,c" + space))
                    .isEqualTo("400");
        }
        assertThat(identity(HEADERS, "X-Forwarded-User: a", "X-Forwarded-Groups: " + groups(1000)))
                .startsWith("a 1 2 3");
        assertThat(identity(HEADERS, "X-Forwarded-User: a", "X-Forwarded-Groups: " + groups(1001)))
                .isEqualTo("400");
        assertThat(identity(HEADERS, "X-Forwarded-User: a", "X-Forwarded-Groups: " + "a,".repeat(2000) + "b,c"))
                .isEqualTo("a a b c system:authenticated");
    }

    private static String groups(int count) {
        StringBuilder groups = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            groups.append(i).append(',');
        }
        return groups.toString();
    }

    @Test
    void envoysCertificateIsVerified() {
        CertificateIdentity source = certificates(CertificateIdentity.Form.XFCC);
        String field = "X-Forwarded-Client-Cert: ";
        String alice = "alice ops system:authenticated";
        assertThat(identity(
                        source,
                        field + "By=spiffe://a;Hash=1;Cert=\"" + pem(ALICE) + "\";Subject=\"CN=\\\"x\\\", O=y\";URI="))
                .isEqualTo(alice);
        assertThat(identity(source, field + "Chain=" + pem(ALICE))).isEqualTo(alice);
        assertThat(identity(
                        source,
                        field + "Cert=\"" + pem(ALICE) + "\";Chain=\""
                                + pem(ALICE, AUTHORITY.identity().chain().getFirst()) + "\""))
                .isEqualTo(alice);
        X509Certificate bob = issued(AUTHORITY, CertificateRequest.client("bob"));
        for (String ambiguous : List.of(
                "Cert=" + pem(ALICE) + ";Chain=" + pem(bob),
                "Cert=" + pem(ALICE) + ";Cert=" + pem(ALICE),
                "Cert=" + pem(ALICE) + ",Cert=" + pem(bob),
                "Cert=" + pem(ALICE) + ",By=a",
                "Cert=\"" + pem(ALICE),
                "Cert=%zz",
                "Cert=\"" + pem(ALICE) + "\"a",
                "Cert=" + pem(ALICE) + "\";Cert=\"",
                "Hash=1\",Cert=" + pem(ALICE),
                "=" + pem(ALICE),
                ";Cert=" + pem(ALICE),
                "a=\"" + "\\a".repeat(50_000) + "\",",
                "Cert=a",
                "Cert",
                "\"",
                "Cert=\"" + "\\".repeat(50_000),
                "a=;".repeat(20_000) + ",")) {
            assertThat(identity(source, field + ambiguous)).as(ambiguous).isEqualTo("400");
        }
        assertThat(identity(source, field + "Cert=" + pem(ALICE), field + "Cert=" + pem(ALICE)))
                .isEqualTo("400");
        assertThat(identity(source, field + "Hash=1;Subject=\"CN=alice\"")).isEqualTo("401");
        assertThat(identity(source, field)).isEqualTo("401");
        assertThat(identity(source, "X-Forwarded-User: alice", "Ssl-Client-Cert: " + pem(ALICE)))
                .isEqualTo("401");
    }

    @Test
    void certificatesOfOthersAreRefused() {
        CertificateIdentity source = certificates(CertificateIdentity.Form.ESCAPED);
        CertificateAuthority other = authority();
        for (X509Certificate refused : List.of(
                issued(other, CertificateRequest.client("alice", "ops")),
                issued(AUTHORITY, CertificateRequest.server("alice", "localhost")),
                other.identity().chain().getFirst())) {
            assertThat(identity(source, "Ssl-Client-Cert: " + pem(refused))).isEqualTo("401");
        }
    }

    @Test
    void certificatesOfNginxAndTraefikAreRead() throws Exception {
        CertificateIdentity source = certificates(CertificateIdentity.Form.ESCAPED);
        String alice = "alice ops system:authenticated";
        String der = Base64.getEncoder().encodeToString(ALICE.getEncoded());
        String root = Base64.getEncoder()
                .encodeToString(AUTHORITY.identity().chain().getFirst().getEncoded());
        assertThat(identity(source, "ssl-client-cert: " + pem(ALICE))).isEqualTo(alice);
        assertThat(identity(source, "X-Forwarded-Tls-Client-Cert: " + der)).isEqualTo(alice);
        assertThat(identity(source, "X-Forwarded-Tls-Client-Cert: " + der + "," + root))
                .isEqualTo(alice);
        assertThat(identity(source, "X-Forwarded-Tls-Client-Cert: " + URLEncoder.encode(der, UTF_8)))
                .isEqualTo(alice);
        assertThat(identity(source, "X-Forwarded-Tls-Client-Cert: " + der, "Ssl-Client-Cert: " + der))
                .isEqualTo("400");
        assertThat(identity(source, "Ssl-Client-Cert: " + der.substring(8))).isEqualTo("400");
        assertThat(identity(source, "Ssl-Client-Cert: %00")).isEqualTo("400");
        assertThat(identity(source, "Ssl-Client-Cert: ")).isEqualTo("401");
    }

    @Test
    void tokensAreVerified() {
        TokenAuthenticator tokens = (token, audiences) -> switch (token) {
            case "good" -> new Authentication.Authenticated(new UserInfo("alice", List.of("ops")));
            case "unknown" -> new Authentication.Undecided("not now");
            default -> new Authentication.Refused("bad");
        };
        IdentitySource source = IdentitySource.bearer(tokens, List.of("a"));
        assertThat(identity(source, "Authorization: Bearer good")).isEqualTo("alice ops system:authenticated");
        assertThat(identity(source, "Authorization: Bearer bad")).isEqualTo("401");
        assertThat(identity(source, "Authorization: Basic good")).isEqualTo("401");
        assertThat(identity(source, "X-Forwarded-User: alice")).isEqualTo("401");
        assertThat(identity(source, "Authorization: Bearer unknown")).isEqualTo("503");
        assertThat(identity(source, "Authorization: Bearer good", "Authorization: Bearer good"))
                .isEqualTo("400");
        assertThatThrownBy(() -> source.identify(TestingFields.of("Authorization: Bearer s3cret")))
                .hasMessageNotContaining("s3cret");
    }
}
