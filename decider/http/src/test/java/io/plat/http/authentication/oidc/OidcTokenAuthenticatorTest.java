package io.plat.http.authentication.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.http.authentication.jwt.TestingKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OidcTokenAuthenticatorTest {
    private static final String ISSUER = "https://issuer.example";
    private static final SigningKey KEY = SigningKey.of(TestingKeys.RSA.getPrivate());
    private static final SigningKey CURVE = SigningKey.of(TestingKeys.P256.getPrivate());
    private static final List<String> API = List.of("api");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Keys keys = new Keys();
    private final OidcTokenAuthenticator tokens = new OidcTokenAuthenticator(
            new IssuerRules(
                    ISSUER,
                    "me",
                    new IssuerRules.Mapping("sub", "oidc:"),
                    new IssuerRules.Mapping("groups", ""),
                    Map.of(),
                    List.of("RS256")),
            keys,
            API,
            () -> now);

    /** Keys that a test sets; records the requested ids. */
    private static final class Keys implements IssuerKeys {
        private final List<String> requestedKeys = new ArrayList<>();
        private Optional<KeySet> present = Optional.of(new KeySet(List.of(KEY.verification(), CURVE.verification())));

        @Override
        public Optional<KeySet> known() {
            return present;
        }

        @Override
        public boolean wouldFetch(String id) {
            return present.map(set -> set.named(id).isEmpty()).orElse(true);
        }

        @Override
        public Optional<KeySet> withKey(String id) {
            requestedKeys.add(id);
            return present;
        }

        @Override
        public void close() {}
    }

    private ObjectNode claims() {
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        claims.put("iss", ISSUER).put("aud", "me").put("sub", "bob");
        return claims.put("exp", now.getEpochSecond() + 600);
    }

    private String describe(String token) {
        return describe(tokens.authenticate(token, API));
    }

    private static String describe(Authentication answer) {
        return switch (answer) {
            case Authenticated proven -> proven.user().name() + proven.audiences();
            case Refused refused -> refused.reason().replace("OpenID Connect token: ", "");
            case Undecided undecided -> "undecided: " + undecided.reason();
            case Absent absent -> "absent";
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            iss | "https://issuer.example/" | absent
            iss | 7                         | absent
            iss | ``                        | absent
            aud | ["x","me"]                | oidc:bob[api]
            aud | ["x"]                     | it is for other audiences
            aud | "api"                     | it is for other audiences
            aud | ``                        | it is for other audiences
            exp | ``                        | it has expired
            exp | "never"                   | it has expired
            exp | 1                         | it has expired
            nbf | 1                         | oidc:bob[api]
            nbf | 1767225900                | oidc:bob[api]
            nbf | 1767225901                | it is not valid yet
            nbf | "x"                       | it is not valid yet
            sub | ``                        | the claim "sub" is not a string, expected the user name
            """)
    void audienceAndValidityAreChecked(String name, String json, String expected) throws JsonProcessingException {
        ObjectNode claims = claims();
        if (json.isEmpty()) {
            claims.remove(name);
        } else {
            claims.set(name, new JsonMapper().readTree(json));
        }
        assertThat(describe(KEY.sign(claims))).isEqualTo(expected);
    }

    @Test
    void aCachedTokenExpires() {
        String token = KEY.sign(claims());
        now = now.plusSeconds(599);
        assertThat(describe(token)).isEqualTo("oidc:bob[api]");
        now = now.plusSeconds(1);
        assertThat(describe(token)).isEqualTo("it has expired");
    }

    /** A cached token must not outlive a key that was withdrawn because it leaked. */
    @Test
    void aTokenIsInvalidatedWithItsKey() {
        String token = KEY.sign(claims());
        assertThat(describe(token)).isEqualTo("oidc:bob[api]");
        keys.present = Optional.of(new KeySet(List.of(CURVE.verification())));
        assertThat(describe(token)).startsWith("it is not signed by a key of the issuer");
    }

    @Test
    void onlyConfiguredAlgorithmsAreAccepted() {
        assertThat(describe(CURVE.sign(claims())))
                .isEqualTo("it is not signed by a key of the issuer with an accepted algorithm");
        assertThat(describe(SigningKey.of(TestingKeys.OTHER.getPrivate()).sign(claims())))
                .startsWith("it is not signed by a key of the issuer");
    }

    @Test
    void tokensForOtherAudiencesAreRefused() {
        String token = KEY.sign(claims());
        assertThat(describe(tokens.authenticate(token, List.of("vault")))).isEqualTo("absent");
        assertThat(describe(tokens.authenticate(token, List.of("vault", "api"))))
                .isEqualTo("oidc:bob[api]");
    }

    @Test
    void onlyATokenOfTheIssuerWaitsForItsKeys() {
        String token = KEY.sign(claims());
        assertThat(tokens.waits(token)).isFalse();
        assertThat(describe(token)).isEqualTo("oidc:bob[api]");
        keys.present = Optional.empty();
        String other = KEY.sign(claims().put("jti", "2"));
        assertThat(tokens.waits(other)).isTrue();
        assertThat(describe(other)).isEqualTo("the keys of the issuer are not known yet");
        String foreign = KEY.sign(claims().put("iss", "https://other.example"));
        assertThat(tokens.waits(foreign)).isFalse();
        assertThat(describe(foreign)).isEqualTo("absent");
        assertThat(tokens.waits("s3cret")).isFalse();
        keys.requestedKeys.clear();
        describe(foreign);
        describe("s3cret");
        assertThat(keys.requestedKeys).isEmpty();
    }
}
