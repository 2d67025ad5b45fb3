package io.plat.tls.x509;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Whether two keys are a pair: what one signs the other must verify, whatever their algorithm. */
final class KeyMatch {
    private static final byte[] PROBE = "do these keys belong together?".getBytes(StandardCharsets.US_ASCII);

    private KeyMatch() {}

    static boolean belong(PublicKey certified, PrivateKey key) {
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
            // Keys of different sizes or curves: the signature is no signature at all for the other.
            return false;
        }
    }
}
