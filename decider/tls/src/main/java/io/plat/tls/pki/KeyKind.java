package io.plat.tls.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.ECGenParameterSpec;

/** The kinds of keys that are made. */
public enum KeyKind {
    /** Elliptic curve P-256: the default, small and quick everywhere. */
    EC_P256,
    /** RSA of 2048 bits, for peers that know nothing else. */
    RSA_2048,
    ED25519;

    KeyPair generate() {
        try {
            return switch (this) {
                case EC_P256 -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(new ECGenParameterSpec("secp256r1"));
                    yield generator.generateKeyPair();
                }
                case RSA_2048 -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                    generator.initialize(2048);
                    yield generator.generateKeyPair();
                }
                case ED25519 -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK makes such keys", e);
        }
    }

    /** The signature algorithm that suits a key. */
    static String signatureAlgorithm(PrivateKey key) {
        return switch (key) {
            case ECKey ec when ec.getParams().getCurve().getField().getFieldSize() > 256 -> "SHA384withECDSA";
            case ECKey _ -> "SHA256withECDSA";
            case EdECKey edwards -> edwards.getParams().getName();
            case RSAKey _ -> "SHA256withRSA";
            default -> throw new IllegalArgumentException("no signatures are made with " + key.getAlgorithm());
        };
    }
}
