package io.plat.http.authentication.jwt;

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
import io.plat.tls.files.Sha256;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;

/** Public key that verifies tokens. An elliptic curve key accepts only the algorithm of its curve. */
public final class VerificationKey {
    /** Minimum size of an RSA key. */
    public static final int MIN_RSA_BITS = 2048;

    private final String id;
    private final PublicKey key;
    private final JWSVerifier verifier;

    private VerificationKey(String id, PublicKey key, JWSVerifier verifier) {
        this.id = id;
        this.key = key;
        this.verifier = verifier;
    }

    /**
     * Creates a key with an id.
     *
     * @param id the {@code kid} in tokens, or {@code ""}
     * @throws IllegalArgumentException for an unsupported key, with the reason
     */
    public static VerificationKey of(String id, PublicKey key) {
        try {
            return new VerificationKey(
                    id,
                    key,
                    switch (key) {
                        case RSAPublicKey rsa
                        when rsa.getModulus().bitLength() < MIN_RSA_BITS ->
                            throw new IllegalArgumentException("an RSA key of "
                                    + rsa.getModulus().bitLength() + " bits, expected at least " + MIN_RSA_BITS);
                        case RSAPublicKey rsa -> new RSASSAVerifier(rsa);
                        case ECPublicKey curve -> new ECDSAVerifier(curve);
                        default ->
                            throw new IllegalArgumentException(
                                    "the algorithm of the key is " + key.getAlgorithm() + ", expected RSA or EC");
                    });
        } catch (JOSEException e) {
            throw new IllegalArgumentException("a key on an unknown curve, expected P-256, P-384 or P-521", e);
        }
    }

    /** Creates a key whose id is derived from it as in kube-apiserver: the SHA-256 of its DER form. */
    public static VerificationKey of(PublicKey key) {
        byte[] digest = Sha256.of(key.getEncoded());
        return of(Base64.getUrlEncoder().withoutPadding().encodeToString(digest), key);
    }

    /** Returns the {@code kid} in tokens, or {@code ""}. */
    public String id() {
        return id;
    }

    public PublicKey key() {
        return key;
    }

    /** Returns the signature algorithm: RS256 for RSA, that of the curve for others. */
    JWSAlgorithm algorithm() {
        return key instanceof RSAPublicKey
                ? JWSAlgorithm.RS256
                : verifier.supportedJWSAlgorithms().iterator().next();
    }

    /** Returns the key in the form of RFC 7517. */
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
            default -> throw new IllegalStateException("an unsupported kind of key was accepted");
        };
    }

    boolean verifies(JWSHeader header, byte[] signed, Base64URL signature) {
        if (!verifier.supportedJWSAlgorithms().contains(header.getAlgorithm())) {
            return false;
        }
        try {
            return verifier.verify(header, signed, signature);
        } catch (JOSEException _) {
            // Malformed signature: wrong length or numbers out of range.
            return false;
        }
    }
}
