package io.plat.apiserver.authentication.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.TestingKeys;
import io.plat.http.authentication.jwt.VerificationKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerDocumentsTest {
    private static final KeySet KEYS = new KeySet(List.of(VerificationKey.of(TestingKeys.P256.getPublic())));

    @ParameterizedTest
    @CsvSource({
        "https://a.example,     '',                     https://a.example/openid/v1/jwks",
        "https://a.example/,    '',                     https://a.example/openid/v1/jwks",
        "https://a.example:8/x, '',                     https://a.example:8/x/openid/v1/jwks",
        "https://a.example,     https://b.example/keys, https://b.example/keys",
    })
    void configurationNamesTheKeySet(String issuer, String keysUrl, String expected) {
        IssuerDocuments documents = IssuerDocuments.of(issuer, keysUrl, KEYS).orElseThrow();
        assertThat(documents.configuration())
                .isEqualTo("{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + expected
                        + "\",\"response_types_supported\":[\"id_token\"],\"subject_types_supported\":[\"public\"],"
                        + "\"id_token_signing_alg_values_supported\":[\"ES256\"]}");
        assertThat(documents.keys()).startsWith("{\"keys\":[{").doesNotContain("\"d\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "issuer",
                "http://a.example",
                "https://a.example?x",
                "https://a.example#x",
                "https:a",
                "https://[",
                "a:b"
            })
    void otherNamesHaveNoDocument(String issuer) {
        assertThat(IssuerDocuments.of(issuer, "", KEYS)).isEmpty();
    }
}
