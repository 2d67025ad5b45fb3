package io.plat.tls.pem;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reader of X.509 certificates: a chain or a bundle. Blocks of other types are skipped, as in kube-apiserver. */
public final class PemCertificates {
    private PemCertificates() {}

    /**
     * Returns all certificates, in order.
     *
     * @return at least one
     * @throws PemException if there is none or one is malformed
     */
    public static List<X509Certificate> read(PemSource source) throws PemException {
        List<PemScanner.PemBlock> blocks = PemScanner.scan(source);
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemScanner.PemBlock block : blocks) {
            if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
                certificates.add(certificate(source.name(), block));
            }
        }
        if (certificates.isEmpty()) {
            throw new PemException(
                    source.name(), "expected at least one 'CERTIFICATE', found " + PemScanner.describe(blocks));
        }
        return List.copyOf(certificates);
    }

    static X509Certificate certificate(String source, PemScanner.PemBlock block) throws PemException {
        ByteArrayInputStream content = new ByteArrayInputStream(block.content());
        try {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(content);
            if (content.available() > 0) {
                throw new PemException(source, block.line(), "bytes follow the certificate in its block");
            }
            return certificate;
        } catch (CertificateException _) {
            throw new PemException(source, block.line(), "not an X.509 certificate in DER");
        }
    }
}
