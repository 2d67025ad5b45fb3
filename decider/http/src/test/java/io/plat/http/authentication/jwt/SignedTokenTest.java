package io.plat.http.authentication.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedTokenTest {
    private static final Set<String> ALL = Set.of("RS256", "ES256", "ES384", "ES512", "HS256", "none");

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    private static ObjectNode claims() {
        return JsonNodeFactory.instance.objectNode().put("iss", "me").put("sub", "somebody");
    }

    private static SignedToken parsed(String token) {
        return SignedToken.parse(token).orElseThrow();
    }

    /** Names that differ are never one name. */
    @Test
    void textThatIsNotUnicodeIsNoName() {
        String head = encoded("{\"alg\":\"RS256\"}") + ".";
        byte[] cut = "{\"sub\":\"a?\"}".getBytes(UTF_8);
        cut["{\"sub\":\"a".length()] = (byte) 0xff;
        assertThat(parsed(head + encoded("{\"sub\":\"\\ud83d\\ude00\"}") + ".AA")
                        .claims()
                        .subject())
                .isEqualTo("😀");
        assertThat(parsed(head + encoded("{\"sub\":\"a\\ud800\"}") + ".AA")
                        .claims()
                        .subject())
                .isEmpty();
        assertThat(SignedToken.parse(head + encoded("{\"groups\":[\"a\", \"\\udc00\"]}") + ".AA")
                        .orElseThrow()
                        .claims()
                        .texts("groups"))
                .isEmpty();
        assertThat(SignedToken.parse(
                                head + Base64.getUrlEncoder().withoutPadding().encodeToString(cut) + ".AA")
                        .map(token -> token.claims().subject())
                        .orElse(""))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "secp256r1, ES256",
        "secp384r1, ES384",
        "secp521r1, ES512",
        "RSA,       RS256",
    })
    void signaturesAreVerified(String kind, String algorithm) {
        KeyPair pair = kind.equals("RSA") ? TestingKeys.RSA : TestingKeys.curve(kind);
        SigningKey key = SigningKey.of(pair.getPrivate());
        SignedToken token = parsed(key.sign(claims()));
        assertThat(token.keyId()).isEqualTo(key.verification().id()).hasSize(43);
        assertThat(token.claims().issuer()).isEqualTo("me");
        VerificationKey verification = VerificationKey.of(pair.getPublic());
        assertThat(verification.id()).isEqualTo(token.keyId());
        assertThat(token.verifiedBy(List.of(verification), Set.of(algorithm))).isTrue();
        assertThat(token.verifiedBy(List.of(verification), Set.of("PS256")))
                .as("not admitted")
                .isFalse();
        assertThat(token.verifiedBy(List.of(), ALL)).isFalse();
        assertThat(token.verifiedBy(List.of(VerificationKey.of(TestingKeys.OTHER.getPublic())), ALL))
                .isFalse();
        assertThat(new KeySet(List.of(verification)).algorithms()).containsExactly(algorithm);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"alg", "typ", "cty", "kid", "jku", "jwk", "x5u", "x5t", "x5t#S256", "x5c", "b64", "iss", "other"
            })
    void noHeaderIsAnError(String member) {
        for (String value : List.of(
                "null",
                "7",
                "-1",
                "1e999",
                "true",
                "[]",
                "[null]",
                "[7]",
                "{}",
                "\"\"",
                "\"%\"",
                "{\"kty\":null}",
                "[[]]",
                "{\"kty\":\"RSA\",\"n\":null}",
                "\"none\"",
                "[\"\"]",
                "[\"AA\"]",
                "[{}]")) {
            for (String algorithm : List.of("", "\"alg\":\"RS256\",", "\"alg\":\"none\",", "\"alg\":\"dir\",")) {
                String head = "{" + algorithm + "\"" + member + "\":" + value + "}";
                Optional<SignedToken> token = SignedToken.parse(encoded(head) + "." + encoded("{}") + ".AAAA");
                token.ifPresent(parsed -> assertThat(
                                parsed.verifiedBy(List.of(VerificationKey.of(TestingKeys.RSA.getPublic())), ALL))
                        .as(head)
                        .isFalse());
            }
        }
    }

    @Test
    void aChangedBitInvalidatesTheSignature() {
        SigningKey key = SigningKey.of(TestingKeys.P256.getPrivate());
        String token = key.sign(claims());
        String[] parts = token.split("\\.", -1);
        String other = encoded("{\"iss\":\"me\",\"sub\":\"root\"}");
        byte[] signature = Base64.getUrlDecoder().decode(parts[2]);
        signature[10] ^= 1;
        String bent = Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        for (String forged : List.of(
                parts[0] + "." + other + "." + parts[2],
                parts[0] + "." + parts[1] + "." + bent,
                parts[0] + "." + parts[1] + "." + parts[2].substring(4),
                parts[0] + "." + parts[1] + "." + encoded("0"),
                encoded("{\"alg\":\"ES384\"}") + "." + parts[1] + "." + parts[2])) {
            assertThat(SignedToken.parse(forged).filter(read -> read.verifiedBy(List.of(key.verification()), ALL)))
                    .as(forged)
                    .isEmpty();
        }
    }

    @Test
    void aKeyAcceptsOnlyAlgorithmsOfItsKind() throws JOSEException {
        // The public key as an HMAC secret: a verifier that lets the token choose the algorithm would accept this.
        byte[] secret = TestingKeys.RSA.getPublic().getEncoded();
        JWSObject forged =
                new JWSObject(new JWSHeader.Builder(JWSAlgorithm.HS256).build(), new Payload(claims().toString()));
        forged.sign(new MACSigner(secret));
        List<VerificationKey> keys = List.of(VerificationKey.of(TestingKeys.RSA.getPublic()));
        assertThat(parsed(forged.serialize()).verifiedBy(keys, ALL)).isFalse();
        String unsigned = encoded("{\"alg\":\"none\"}") + "." + encoded(claims().toString()) + ".";
        assertThat(SignedToken.parse(unsigned)).isEmpty();
        assertThat(SignedToken.parse(unsigned + "AA").filter(read -> read.verifiedBy(keys, ALL)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"crit\":[\"b64\"],\"b64\":false", "\"crit\":[\"exp\"]", "\"crit\":[]"})
    void extensionsOfTheHeaderAreRefused(String extension) {
        assertThat(SignedToken.parse(encoded("{\"alg\":\"ES256\"," + extension + "}") + ".e30.AA"))
                .isEmpty();
    }

    @Test
    void aTokenHasOneSpelling() {
        String head = encoded("{\"alg\":\"ES256\"}");
        assertThat(SignedToken.parse(head + ".e30.AA")).isPresent();
        for (String other : List.of(
                head + ".e30.AA==",
                head + ".e30.AB",
                head + ".e30=.AA",
                head + "=.e30.AA",
                head + ".e30.A A",
                head + ".e30.A+A")) {
            assertThat(SignedToken.parse(other)).as(other).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a.b",
                "a.b.c",
                "e30.e30.",
                "e30.e30.AA.AA",
                "e30.W10.AA",
                "W10.e30.AA",
                "!.e30.AA",
                "e30.!.AA",
                "{}.e30.AA",
                "e30.e30.AA",
                "bnVsbA.e30.AA"
            })
    void malformedTokensAreRefused(String text) {
        assertThat(SignedToken.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{} {}", "{\"a\":", "[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]"})
    void duplicateClaimsAreRefused(String claims) {
        assertThat(SignedToken.parse(encoded("{\"alg\":\"ES256\"}") + "." + encoded(claims) + ".AA"))
                .isEmpty();
    }

    @Property
    void anyTextIsParsedOrRefused(@ForAll String text) {
        assertThat(SignedToken.parse(text)).isEmpty();
        assertThat(SignedToken.parse("eyJhbGciOiJFUzI1NiJ9." + text + ".AA")
                        .filter(read ->
                                read.verifiedBy(List.of(VerificationKey.of(TestingKeys.P256.getPublic())), ALL)))
                .isEmpty();
    }

    @Test
    void weakKeysAreRefused() throws NoSuchAlgorithmException {
        assertThatThrownBy(() -> VerificationKey.of(TestingKeys.rsa(1024).getPublic()))
                .hasMessage("an RSA key of 1024 bits, expected at least 2048");
        KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        assertThatThrownBy(() -> VerificationKey.of(edwards.getPublic()))
                .hasMessage("the algorithm of the key is EdDSA, expected RSA or EC");
        assertThatThrownBy(() -> SigningKey.of(edwards.getPrivate())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SigningKey.of(TestingKeys.rsa(1024).getPrivate()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
