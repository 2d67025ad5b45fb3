package io.plat.apiserver.resource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** The subjects of requests for certificates. */
public final class CertificateSubjects {
    private CertificateSubjects() {}

    /**
     * The organisations in a request, and in whatever stands behind it: nobody knows which of several a signer reads.
     *
     * @param encoded PEM in base64; what can't be read holds none, and is refused by the checks of its type
     */
    public static Set<String> organisations(String encoded) {
        Set<String> found = new HashSet<>();
        try (PemReader reader = new PemReader(
                new StringReader(new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8)))) {
            for (PemObject pem = reader.readPemObject(); pem != null; pem = reader.readPemObject()) {
                for (RDN part : new PKCS10CertificationRequest(pem.getContent())
                        .getSubject()
                        .getRDNs()) {
                    for (AttributeTypeAndValue value : part.getTypesAndValues()) {
                        if (value.getType().equals(BCStyle.O) && value.getValue() instanceof ASN1String text) {
                            found.add(text.getString());
                        }
                    }
                }
            }
        } catch (IOException | IllegalArgumentException malformed) {
            return found;
        }
        return found;
    }
}
