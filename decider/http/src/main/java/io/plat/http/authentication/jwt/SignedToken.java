package io.plat.http.authentication.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;

/** Parsed token whose signature has not been verified yet. */
public final class SignedToken {
    private static final int PARTS = 3;

    private final JWSHeader header;
    private final JsonNode claims;
    private final byte[] signed;
    private final Base64URL signature;

    private SignedToken(JWSHeader header, JsonNode claims, byte[] signed, Base64URL signature) {
        this.header = header;
        this.claims = claims;
        this.signed = signed;
        this.signature = signature;
    }

    /**
     * Parses a token; empty if the text is not a signed token, or not its only spelling (RFC 7515: base64url without padding), or if its header
     * lists extensions, none of which is supported.
     */
    public static Optional<SignedToken> parse(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != PARTS || decode(parts[2]).length == 0) {
            return Optional.empty();
        }
        try {
            JsonNode claims = object(parts[1]);
            JsonNode head = object(parts[0]);
            // The library's header parser only sees validated input.
            if (!head.isObject() || head.has("crit") || !claims.isObject()) {
                return Optional.empty();
            }
            byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
            return Optional.of(
                    new SignedToken(JWSHeader.parse(new Base64URL(parts[0])), claims, signed, new Base64URL(parts[2])));
        } catch (IOException | ParseException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static JsonNode object(String part) throws IOException {
        return TokenJson.MAPPER.readTree(decode(part));
    }

    /** Returns the bytes of a part; none for another spelling of them than the shortest. */
    private static byte[] decode(String part) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(part);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part) ? bytes : new byte[0];
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    /** Returns the claims, which must not be trusted before verification. */
    public Claims claims() {
        return new Claims(claims);
    }

    /** Returns the id of the signing key, or {@code ""}. */
    public String keyId() {
        return header.getKeyID() == null ? "" : header.getKeyID();
    }

    /**
     * Returns whether one of the keys signed it.
     *
     * @param algorithms accepted algorithms, such as {@code ES256}
     */
    public boolean verifiedBy(Collection<VerificationKey> keys, Collection<String> algorithms) {
        return algorithms.contains(header.getAlgorithm().getName())
                && keys.stream().anyMatch(key -> key.verifies(header, signed, signature));
    }
}
