package io.plat.http.authentication.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import io.plat.tls.pem.PemKeys;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;

/** Key that signs tokens: RS256 with an RSA key, the algorithm of the curve otherwise. Thread-safe. */
public final class SigningKey {
    private final VerificationKey verification;
    private final JWSHeader header;
    private final JWSSigner signer;

    private SigningKey(VerificationKey verification, JWSHeader header, JWSSigner signer) {
        this.verification = verification;
        this.header = header;
        this.signer = signer;
    }

    /**
     * Creates a signing key.
     *
     * @throws IllegalArgumentException for an unsupported key, with the reason
     */
    public static SigningKey of(PrivateKey key) {
        VerificationKey verification = VerificationKey.of(PemKeys.publicHalf(key));
        try {
            JWSSigner signer = key instanceof ECPrivateKey curve ? new ECDSASigner(curve) : new RSASSASigner(key);
            JWSHeader header = new JWSHeader.Builder(verification.algorithm())
                    .keyID(verification.id())
                    .build();
            return new SigningKey(verification, header, signer);
        } catch (JOSEException e) {
            throw new IllegalArgumentException("a key on an unknown curve, expected P-256, P-384 or P-521", e);
        }
    }

    public VerificationKey verification() {
        return verification;
    }

    public String sign(JsonNode claims) {
        JWSObject token = new JWSObject(header, new Payload(claims.toString()));
        try {
            token.sign(signer);
        } catch (JOSEException e) {
            throw new IllegalStateException("an accepted key can sign", e);
        }
        return token.serialize();
    }
}
