package io.plat.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificate subjects that resemble {@code system:masters}, or several users, grant only the permissions of their exact names. */
class OddCertificatesTest {
    private static final String MASTERS = "system:masters";

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.startWithRoles();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * A subject.
     *
     * @param what description
     */
    record Odd(String what, X500Name subject, List<GeneralName> names) {
        Odd(String what, X500Name subject) {
            this(what, subject, List.of());
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Odd> subjects() {
        Stream<Odd> organizations = Stream.of(
                        MASTERS + " ",
                        " " + MASTERS,
                        MASTERS + "\u0000",
                        MASTERS + "\n",
                        "System:Masters",
                        MASTERS + "\u200b",
                        "system\uff1amasters",
                        "x,O=" + MASTERS,
                        "x+O=" + MASTERS,
                        "x\\,O=" + MASTERS,
                        "x\", O=\"" + MASTERS,
                        "#0c0e" + "73797374656d3a6d617374657273",
                        "",
                        "\ud83d\ude00")
                .map(organization ->
                        new Odd("O=" + visible(organization), name(BCStyle.CN, "eve", BCStyle.O, organization)));
        Stream<Odd> others = Stream.of(
                new Odd("OU instead of O", name(BCStyle.CN, "eve", BCStyle.OU, MASTERS)),
                new Odd("no common name", name(BCStyle.OU, "x")),
                new Odd("empty common name", name(BCStyle.CN, "")),
                new Odd("two common names", name(BCStyle.CN, "eve", BCStyle.CN, "admin")),
                new Odd("slashes", name(BCStyle.CN, "eve/O=" + MASTERS)),
                new Odd("line break", name(BCStyle.CN, "eve\nO=" + MASTERS)),
                new Odd("long", name(BCStyle.CN, "e".repeat(20_000))),
                new Odd("group as user", name(BCStyle.CN, MASTERS)),
                new Odd(
                        "alternative names",
                        name(BCStyle.CN, "eve"),
                        List.of(
                                new GeneralName(GeneralName.rfc822Name, "O=" + MASTERS),
                                new GeneralName(GeneralName.uniformResourceIdentifier, MASTERS),
                                new GeneralName(GeneralName.dNSName, new DERIA5String("system:masters")))));
        return Stream.concat(organizations, others);
    }

    private static String visible(String text) {
        return text.chars()
                .mapToObj(c -> c > ' ' && c < 127 ? String.valueOf((char) c) : "<%x>".formatted(c))
                .reduce("", String::concat);
    }

    private static X500Name name(Object... typesAndValues) {
        RDN[] parts = new RDN[typesAndValues.length / 2];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new RDN(
                    new AttributeTypeAndValue((ASN1ObjectIdentifier) typesAndValues[2 * i], new DERUTF8String((String)
                            typesAndValues[2 * i + 1])));
        }
        return new X500Name(parts);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void oddSubjectsGrantNothing(Odd odd) throws IOException {
        server.pki().clientWithSubject("odd", odd.subject(), odd.names().toArray(GeneralName[]::new));
        try (HttpsClient client = HttpsClient.of(server.pki(), "odd")) {
            for (String path : List.of("/api/v1/secrets", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings")) {
                assertThat(status(client, server.at(path))).isIn(400, 401, 403);
            }
        } catch (SSLException rejected) {
            assertThat(rejected)
                    .as("a certificate may be refused in the handshake")
                    .isNotNull();
        }
    }

    private static int status(HttpsClient client, URI at) throws IOException {
        HttpResponse<String> answer = client.get(at);
        assertThat(answer.body()).doesNotContain("\tat ").doesNotContain("Exception");
        return answer.statusCode();
    }
}
