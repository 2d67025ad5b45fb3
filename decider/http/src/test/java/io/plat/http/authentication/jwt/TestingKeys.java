package io.plat.http.authentication.jwt;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;

/** Key pairs, each generated once, as RSA is slow. */
public final class TestingKeys {
    /** RSA, 2048 bits. */
    public static final KeyPair RSA = rsa(2048);

    /** P-256. */
    public static final KeyPair P256 = curve("secp256r1");

    /** A second one on P-256. */
    public static final KeyPair OTHER = curve("secp256r1");

    private TestingKeys() {}

    /** Generates a pair with this many bits. */
    public static KeyPair rsa(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Generates a pair on a curve. */
    public static KeyPair curve(String name) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(name));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
