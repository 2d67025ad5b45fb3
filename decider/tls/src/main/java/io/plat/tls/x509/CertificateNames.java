package io.plat.tls.x509;

import io.plat.tls.files.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;

/**
 * Names in a certificate.
 *
 * @param commonName the subject's common name, the last of several; {@code ""} if there is none
 * @param organizations the subject's organizations, in order
 * @param dnsNames alternative names that are host names, as written, wildcards included
 * @param ipAddresses alternative names that are addresses
 * @param otherNames alternative names that are e-mail addresses or URIs, with the prefix {@value #EMAIL} or {@value #URI}
 */
public record CertificateNames(
        String commonName,
        List<String> organizations,
        List<String> dnsNames,
        List<InetAddress> ipAddresses,
        List<String> otherNames) {
    /** Prefix of e-mail addresses. */
    public static final String EMAIL = "email:";

    /** Prefix of URIs. */
    public static final String URI = "URI:";

    public CertificateNames {
        organizations = List.copyOf(organizations);
        dnsNames = List.copyOf(dnsNames);
        ipAddresses = List.copyOf(ipAddresses);
        otherNames = List.copyOf(otherNames);
    }

    /** Returns the names of a certificate; alternative names that are malformed count as absent, and so does a subject with a malformed name. */
    public static CertificateNames of(X509Certificate certificate) {
        String commonName = "";
        List<String> organizations = new ArrayList<>();
        try {
            X500Name subject =
                    X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
            for (RDN part : subject.getRDNs()) {
                for (AttributeTypeAndValue value : part.getTypesAndValues()) {
                    if (value.getType().equals(BCStyle.CN)) {
                        commonName = text(value);
                    } else if (value.getType().equals(BCStyle.O)) {
                        organizations.add(text(value));
                    }
                }
            }
        } catch (IllegalArgumentException | IllegalStateException _) {
            commonName = "";
            organizations.clear();
        }
        Alternatives alternatives = Alternatives.of(certificate);
        return new CertificateNames(commonName, organizations, alternatives.dns, alternatives.ip, alternatives.other);
    }

    /**
     * Returns the names by which a list of clients may refer to the subject. Kinds of names are separate, as authorities verify them in
     * different ways: an e-mail address or URI is never a common name or host name, nor vice versa. IP addresses are not names of clients.
     */
    public Stream<String> clientNames() {
        return Stream.concat(
                Stream.concat(Stream.of(commonName), dnsNames.stream())
                        .filter(name -> !name.isEmpty() && !name.startsWith(EMAIL) && !name.startsWith(URI)),
                otherNames.stream());
    }

    /** Returns the SHA-256 of a certificate, as 64 hexadecimal digits. */
    public static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(Sha256.of(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read can be encoded", e);
        }
    }

    private static String text(AttributeTypeAndValue value) {
        // The plain string: IETFUtils.valueToString would escape characters as in a distinguished name.
        String text = value.getValue() instanceof ASN1String string
                ? string.getString()
                : IETFUtils.valueToString(value.getValue());
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("half of a surrogate pair, which would be written as a question mark");
        }
        return text;
    }

    private static final class Alternatives {
        private final List<String> dns = new ArrayList<>();
        private final List<InetAddress> ip = new ArrayList<>();
        private final List<String> other = new ArrayList<>();

        static Alternatives of(X509Certificate certificate) {
            Alternatives alternatives = new Alternatives();
            byte[] extension = certificate.getExtensionValue(Extension.subjectAlternativeName.getId());
            if (extension == null) {
                return alternatives;
            }
            try {
                for (GeneralName name : GeneralNames.getInstance(JcaX509ExtensionUtils.parseExtensionValue(extension))
                        .getNames()) {
                    alternatives.add(name);
                }
                return alternatives;
            } catch (IOException | IllegalArgumentException | IllegalStateException _) {
                return new Alternatives();
            }
        }

        private void add(GeneralName name) throws UnknownHostException {
            switch (name.getTagNo()) {
                case GeneralName.dNSName -> dns.add(name.getName().toString());
                case GeneralName.iPAddress ->
                    ip.add(InetAddress.getByAddress(
                            ASN1OctetString.getInstance(name.getName()).getOctets()));
                case GeneralName.rfc822Name -> other.add(EMAIL + name.getName());
                case GeneralName.uniformResourceIdentifier -> other.add(URI + name.getName());
                default -> {
                    // Directory names and rarer kinds are not used here.
                }
            }
        }
    }
}
