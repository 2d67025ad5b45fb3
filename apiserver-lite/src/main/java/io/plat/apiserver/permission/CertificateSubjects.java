package io.plat.apiserver.permission;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** The subjects of requests for certificates. */
public final class CertificateSubjects {
    private static final String BLOCK = "-----BEGIN";

    private CertificateSubjects() {}

    /**
     * The organisations in a request, and in whatever stands behind it: readers of PEM differ in which of several blocks they take.
     *
     * @param encoded PEM in base64
     * @return empty where some reader may find more than is found here
     */
    public static Optional<Set<String>> organisations(String encoded) {
        Set<String> found = new HashSet<>();
        int blocks = 0;
        try {
            String text = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
            PemReader reader = new PemReader(new StringReader(text));
            for (PemObject pem = reader.readPemObject(); pem != null; pem = reader.readPemObject()) {
                blocks++;
                for (RDN part : new PKCS10CertificationRequest(pem.getContent())
                        .getSubject()
                        .getRDNs()) {
                    for (AttributeTypeAndValue value : part.getTypesAndValues()) {
                        if (value.getType().equals(BCStyle.O)) {
                            found.add(text(value));
                        }
                    }
                }
            }
            return text.split(BLOCK, -1).length == blocks + 1 ? Optional.of(found) : Optional.empty();
        } catch (IOException | RuntimeException malformed) {
            return Optional.empty();
        }
    }

    private static String text(AttributeTypeAndValue value) {
        if (value.getValue() instanceof ASN1String text && !(text instanceof ASN1UniversalString)) {
            return text.getString();
        }
        throw new IllegalArgumentException("an organisation is no text");
    }
}
