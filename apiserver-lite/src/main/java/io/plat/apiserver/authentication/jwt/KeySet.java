package io.plat.apiserver.authentication.jwt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The keys of one issuer.
 *
 * @param keys in the order in which they are tried and shown, each once
 */
public record KeySet(List<VerificationKey> keys) {
    public KeySet {
        List<VerificationKey> distinct = new ArrayList<>();
        for (VerificationKey key : keys) {
            if (distinct.stream()
                    .noneMatch(
                            other -> other.id().equals(key.id()) && other.key().equals(key.key()))) {
                distinct.add(key);
            }
        }
        keys = List.copyOf(distinct);
    }

    /** The keys that a token may be signed with: those it names, or all where it names none. */
    public List<VerificationKey> named(String id) {
        return id.isEmpty()
                ? keys
                : keys.stream().filter(key -> key.id().equals(id)).toList();
    }

    /** The algorithms of the keys, each once: RS256 for RSA, that of the curve for others. */
    public List<String> algorithms() {
        return keys.stream().map(KeySet::algorithm).distinct().toList();
    }

    /** The set in the form of RFC 7517, public halves alone. */
    public ObjectNode document() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode array = document.putArray("keys");
        for (VerificationKey key : keys) {
            ObjectNode one = array.addObject().put("use", "sig");
            describe(key, one);
        }
        return document;
    }

    private static void describe(VerificationKey key, ObjectNode into) {
        into.put("kty", key.key() instanceof RSAPublicKey ? "RSA" : "EC");
        into.put("kid", key.id()).put("alg", algorithm(key));
        if (key.key() instanceof RSAPublicKey rsa) {
            into.put("n", unsigned(rsa.getModulus(), 0)).put("e", unsigned(rsa.getPublicExponent(), 0));
        } else if (key.key() instanceof ECPublicKey curve) {
            int size = (curve.getParams().getCurve().getField().getFieldSize() + 7) / 8;
            into.put("crv", "P-" + curve.getParams().getCurve().getField().getFieldSize());
            into.put("x", unsigned(curve.getW().getAffineX(), size));
            into.put("y", unsigned(curve.getW().getAffineY(), size));
        }
    }

    private static String algorithm(VerificationKey key) {
        if (key.key() instanceof ECPublicKey curve) {
            return switch (curve.getParams().getCurve().getField().getFieldSize()) {
                case 256 -> "ES256";
                case 384 -> "ES384";
                default -> "ES512";
            };
        }
        return "RS256";
    }

    /** A number as its bytes without a sign, filled up to a size. */
    private static String unsigned(BigInteger number, int size) {
        byte[] signed = number.toByteArray();
        byte[] bytes = signed[0] == 0 && signed.length > 1 ? Arrays.copyOfRange(signed, 1, signed.length) : signed;
        byte[] filled = new byte[Math.max(size, bytes.length)];
        System.arraycopy(bytes, 0, filled, filled.length - bytes.length, bytes.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(filled);
    }
}
