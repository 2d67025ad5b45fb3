package io.plat.fronts.check;

import io.plat.http.authentication.ClientCertificateAuthenticator;
import io.plat.http.authentication.Credentials;
import io.plat.review.UserInfo;
import io.plat.review.request.PercentDecoding;
import io.plat.review.status.StatusException;
import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateVerifier;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identity from a client certificate that a proxy forwards: the common name is the user, the organizations are the groups. The chain is verified
 * here, as a proxy may forward an unverified certificate.
 *
 * @param form the header fields with the certificate
 * @param authenticator verifier of chains
 */
public record CertificateIdentity(Form form, ClientCertificateAuthenticator authenticator) implements IdentitySource {
    private static final String BEGIN = "-----BEGIN ";

    /** Fields with a forwarded certificate. */
    public enum Form {
        /** Envoy's field: {@code Cert} and {@code Chain} of its only element. */
        XFCC,
        /** Fields of nginx ({@code $ssl_client_escaped_cert}) and Traefik: PEM or base64 of DER, either of which may be percent-encoded. */
        ESCAPED;

        private List<String> names() {
            return switch (this) {
                case XFCC -> List.of("X-Forwarded-Client-Cert");
                case ESCAPED -> List.of("Ssl-Client-Cert", "X-Forwarded-Tls-Client-Cert");
            };
        }
    }

    /** Creates a source. */
    public static CertificateIdentity of(Form form, CertificateVerifier verifier) {
        return new CertificateIdentity(form, new ClientCertificateAuthenticator(verifier));
    }

    @Override
    public UserInfo identify(Credentials fields) throws StatusException {
        List<String> values = new ArrayList<>();
        for (String name : form.names()) {
            values.addAll(fields.headers(name));
        }
        if (values.size() > 1) {
            throw ProxiedRequest.ambiguous(String.join(" or ", form.names()) + " is sent twice");
        }
        String value = values.isEmpty() ? "" : values.getFirst().strip();
        if (value.isEmpty()) {
            throw IdentitySource.withoutUser(String.join(" or ", form.names()) + " is missing");
        }
        List<X509Certificate> chain = switch (form) {
            case XFCC -> ForwardedElement.parse(value).chain();
            case ESCAPED -> decode(value);
        };
        return IdentitySource.requireUser(authenticator.authenticate(new Forwarded(chain)));
    }

    /** Decodes PEM, or base64 of DER with commas between certificates, percent-encoded or not. */
    private static List<X509Certificate> decode(String value) throws StatusException {
        String text = value.indexOf('%') < 0
                ? value
                : PercentDecoding.decode(value, false).orElseThrow(CertificateIdentity::malformed);
        return certificates(
                text.startsWith(BEGIN)
                        ? text
                        : BEGIN + "CERTIFICATE-----\n"
                                + text.replace(",", "\n-----END CERTIFICATE-----\n" + BEGIN + "CERTIFICATE-----\n")
                                + "\n-----END CERTIFICATE-----\n");
    }

    private static List<X509Certificate> certificates(String pem) throws StatusException {
        try {
            return PemCertificates.read(PemSource.inline("certificate", pem.getBytes(StandardCharsets.US_ASCII)));
        } catch (PemException _) {
            throw malformed();
        }
    }

    private static StatusException malformed() {
        return ProxiedRequest.ambiguous("the forwarded certificate is malformed");
    }

    /** A forwarded chain, in place of one from a handshake. */
    private record Forwarded(List<X509Certificate> certificates) implements Credentials {}

    /**
     * Certificates of an element of Envoy's field.
     *
     * @param leaf PEM of the client's certificate, or null
     * @param whole PEM of the client's chain, or null
     */
    private record ForwardedElement(
            @Nullable String leaf, @Nullable String whole) {
        /** A pair {@code key=value} or {@code key="value"}, in which a backslash escapes a character. */
        private static final Pattern PAIR =
                Pattern.compile("\\G([^=;,\"]+)=(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^;,\"]*+))(?:;|\\z)");

        static ForwardedElement parse(String value) throws StatusException {
            Map<String, String> elements = new HashMap<>();
            Matcher pair = PAIR.matcher(value);
            for (int end = 0; end < value.length(); end = pair.end()) {
                if (!pair.find()) {
                    throw ProxiedRequest.ambiguous("X-Forwarded-Client-Cert has several elements, or a malformed one");
                }
                String key = pair.group(1).toLowerCase(Locale.ROOT);
                String text = Objects.requireNonNullElse(pair.group(2), pair.group(3));
                if ((key.equals("cert") || key.equals("chain")) && elements.put(key, text) != null) {
                    throw ProxiedRequest.ambiguous("X-Forwarded-Client-Cert has two certificates");
                }
            }
            return new ForwardedElement(elements.get("cert"), elements.get("chain"));
        }

        List<X509Certificate> chain() throws StatusException {
            List<X509Certificate> first = leaf == null ? List.of() : decode(leaf);
            List<X509Certificate> all = whole == null ? first : decode(whole);
            if (all.isEmpty()) {
                throw IdentitySource.withoutUser("X-Forwarded-Client-Cert has neither Cert nor Chain");
            }
            if (!first.isEmpty() && !first.getFirst().equals(all.getFirst())) {
                throw ProxiedRequest.ambiguous("Cert and Chain of X-Forwarded-Client-Cert differ");
            }
            return all;
        }
    }
}
