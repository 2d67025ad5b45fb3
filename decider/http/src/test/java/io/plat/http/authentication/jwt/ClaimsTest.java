package io.plat.http.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsTest {
    private static Claims claims(String json) throws JsonProcessingException {
        return new Claims(new JsonMapper().readTree(json));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"aud":"a"}         | [a]
            {"aud":["a","b"]}   | [a, b]
            {"aud":[]}          | []
            {"aud":["a",1]}     | []
            {"aud":{"a":"b"}}   | []
            {"aud":null}        | []
            {}                  | []
            """)
    void audiencesAreOneOrMany(String json, String expected) throws JsonProcessingException {
        assertThat(claims(json).audiences()).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"exp":100}          | 1970-01-01T00:01:40Z
            {"exp":100.9}        | 1970-01-01T00:01:40Z
            {"exp":253402300799} | 9999-12-31T23:59:59Z
            {"exp":253402300800} | none
            {"exp":1e40}         | none
            {"exp":-1}           | none
            {"exp":"100"}        | none
            {"exp":null}         | none
            {}                   | none
            """)
    void timesAreNumbersInRange(String json, String expected) throws JsonProcessingException {
        assertThat(claims(json).expiry().map(Instant::toString).orElse("none")).isEqualTo(expected);
    }

    @Test
    void textsAreStrings() throws JsonProcessingException {
        Claims claims = claims("{\"iss\":\"i\",\"sub\":7,\"jti\":null,\"nbf\":5,\"t\":[\"x\"],\"u\":true}");
        assertThat(claims.issuer()).isEqualTo("i");
        assertThat(claims.subject()).isEmpty();
        assertThat(claims.id()).isEmpty();
        assertThat(claims.notBefore()).contains(Instant.ofEpochSecond(5));
        assertThat(claims.texts("t")).isEqualTo(Optional.of(List.of("x")));
        assertThat(claims.texts("u")).isEmpty();
        assertThat(claims.has("u")).isTrue();
        assertThat(claims.has("v")).isFalse();
    }
}
