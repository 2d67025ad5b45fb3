package io.plat.http.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.security.KeyPair;
import java.text.ParseException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeySetTest {
    @Test
    void theDocumentHasThePublicKeys() throws ParseException, JOSEException {
        List<KeyPair> pairs = List.of(
                TestingKeys.RSA,
                TestingKeys.P256,
                TestingKeys.curve("secp384r1"),
                // Its coordinates are sometimes shorter than 66 bytes, and have to be padded.
                TestingKeys.curve("secp521r1"));
        KeySet keys = new KeySet(
                pairs.stream().map(pair -> VerificationKey.of(pair.getPublic())).toList());
        JWKSet read = JWKSet.parse(keys.document());
        assertThat(read.getKeys()).hasSize(4).noneMatch(JWK::isPrivate);
        for (int i = 0; i < pairs.size(); i++) {
            JWK key = read.getKeys().get(i);
            assertThat(key.getKeyID()).isEqualTo(keys.keys().get(i).id());
            assertThat(key.getKeyUse()).hasToString("sig");
            assertThat(
                            (key instanceof com.nimbusds.jose.jwk.RSAKey rsa
                                    ? rsa.toPublicKey()
                                    : key.toECKey().toPublicKey()))
                    .isEqualTo(pairs.get(i).getPublic());
        }
        assertThat(read.getKeys())
                .extracting(key -> key.getAlgorithm().getName())
                .containsExactly("RS256", "ES256", "ES384", "ES512");
        assertThat(keys.algorithms()).containsExactly("RS256", "ES256", "ES384", "ES512");
    }

    @Test
    void aTokenIsVerifiedWithItsNamedKeyOrAll() {
        VerificationKey one = VerificationKey.of(TestingKeys.P256.getPublic());
        VerificationKey other = VerificationKey.of(TestingKeys.OTHER.getPublic());
        KeySet keys = new KeySet(List.of(one, other, VerificationKey.of(TestingKeys.P256.getPublic())));
        assertThat(keys.keys()).containsExactly(one, other);
        assertThat(keys.named(other.id())).containsExactly(other);
        assertThat(keys.named("")).containsExactly(one, other);
        assertThat(keys.named("nope")).isEmpty();
    }
}
