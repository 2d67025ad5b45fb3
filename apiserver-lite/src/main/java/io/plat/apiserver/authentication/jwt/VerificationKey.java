package io.plat.apiserver.authentication.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import io.plat.apiserver.authentication.TokenDigest;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.Objects;

/** A public key by which tokens are verified. Keys on a curve admit the one algorithm of their curve. */
public final class VerificationKey {
    /** The fewest bits of an RSA key. */
    public static final int LEAST_RSA_BITS = 2048;

    private final String id;
    private final PublicKey key;
    private final JWSVerifier verifier;

    private VerificationKey(String id, PublicKey key, JWSVerifier verifier) {
        this.id = Objects.requireNonNull(id);
        this.key = key;
        this.verifier = verifier;
    }

    /**
     * A key with a name.
     *
     * @param id what tokens call it, or {@code ""}
     * @throws IllegalArgumentException for a key by which nothing is verified, with the reason
     */
    public static VerificationKey of(String id, PublicKey key) {
        try {
            return new VerificationKey(
                    id,
                    key,
                    switch (key) {
                        case RSAPublicKey rsa
                        when rsa.getModulus().bitLength() < LEAST_RSA_BITS ->
                            throw new IllegalArgumentException("an RSA key of "
                                    + rsa.getModulus().bitLength() + " bits, expected at least " + LEAST_RSA_BITS);
                        case RSAPublicKey rsa -> new RSASSAVerifier(rsa);
                        case ECPublicKey curve -> new ECDSAVerifier(curve);
                        default ->
                            throw new IllegalArgumentException(
                                    "a key of the algorithm " + key.getAlgorithm() + ", expected RSA or EC");
                    });
        } catch (JOSEException e) {
            throw new IllegalArgumentException("a key on an unknown curve, expected P-256, P-384 or P-521", e);
        }
    }

    /** A key whose name is made from itself, as existing servers name theirs: the SHA-256 of its DER form. */
    public static VerificationKey of(PublicKey key) {
        byte[] digest = TokenDigest.sha256(key.getEncoded());
        return of(Base64.getUrlEncoder().withoutPadding().encodeToString(digest), key);
    }

    /** What tokens call it, or {@code ""}. */
    public String id() {
        return id;
    }

    /** The key. */
    public PublicKey key() {
        return key;
    }

    /** The algorithm that signs with its other half: RS256 for RSA, that of the curve for others. */
    JWSAlgorithm algorithm() {
        return key instanceof RSAPublicKey
                ? JWSAlgorithm.RS256
                : verifier.supportedJWSAlgorithms().iterator().next();
    }

    /** The key in the form of RFC 7517. */
    JWK jwk() {
        return switch (key) {
            case RSAPublicKey rsa ->
                new RSAKey.Builder(rsa)
                        .keyUse(KeyUse.SIGNATURE)
                        .keyID(id)
                        .algorithm(algorithm())
                        .build();
            case ECPublicKey curve ->
                new ECKey.Builder(Curve.forECParameterSpec(curve.getParams()), curve)
                        .keyUse(KeyUse.SIGNATURE)
                        .keyID(id)
                        .algorithm(algorithm())
                        .build();
            default -> throw new IllegalStateException("a key of another kind was accepted");
        };
    }

    boolean verifies(JWSHeader header, byte[] signed, Base64URL signature) {
        if (!verifier.supportedJWSAlgorithms().contains(header.getAlgorithm())) {
            return false;
        }
        try {
            return verifier.verify(header, signed, signature);
        } catch (JOSEException _) {
            // A signature that is none: of another length, or of numbers that no signature has.
            return false;
        }
    }
}
