package io.plat.tls.x509;

import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Certificate chain and private key of a server or client.
 *
 * @param chain leaf first, then the intermediates; at least one
 * @param key the leaf's private key
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    private static final byte[] PROBE = "do these keys match?".getBytes(StandardCharsets.US_ASCII);

    /**
     * Checks that key and certificate match.
     *
     * @throws IllegalArgumentException if the chain is empty or the key is another certificate's
     */
    public TlsIdentity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a chain has at least one certificate");
        }
        if (!belong(chain.getFirst().getPublicKey(), key)) {
            throw new IllegalArgumentException("the private key does not belong to the certificate");
        }
    }

    /**
     * Reads a pair.
     *
     * @param certificates the chain, leaf first
     * @param key the leaf's key; may be the same source
     * @throws PemException if one is invalid or they do not match
     */
    public static TlsIdentity read(PemSource certificates, PemSource key) throws PemException {
        List<X509Certificate> chain = PemCertificates.read(certificates);
        PrivateKey privateKey = PemKeys.read(key);
        if (!belong(chain.getFirst().getPublicKey(), privateKey)) {
            throw new PemException(
                    key.name(), "the private key does not belong to the first certificate of " + certificates.name());
        }
        return new TlsIdentity(chain, privateKey);
    }

    /** Returns whether two keys are a pair, by verifying with one a signature of the other. */
    private static boolean belong(PublicKey certified, PrivateKey key) {
        if (!certified.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(PROBE);
            byte[] signature = signer.sign();
            signer.initVerify(certified);
            signer.update(PROBE);
            return signer.verify(signature);
        } catch (GeneralSecurityException _) {
            // Keys of different sizes or curves: the signature is malformed for the other key.
            return false;
        }
    }

    /** Returns the certificate of the key. */
    public X509Certificate leaf() {
        return chain.getFirst();
    }

    /** Shows the subject only: a key is never printed. */
    @Override
    public String toString() {
        return "TlsIdentity[" + leaf().getSubjectX500Principal().getName() + "]";
    }
}
