package io.plat.http.authentication.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.jwt.Claims;
import io.plat.http.authentication.oidc.OidcTokenAuthenticator.ClaimMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimMapperTest {
    private static String mapped(IssuerRules rules, String json) throws JsonProcessingException {
        Authentication answer = new ClaimMapper(rules).user(new Claims(new JsonMapper().readTree(json)));
        return switch (answer) {
            case Authenticated proven ->
                proven.user().name() + " " + proven.user().groups()
                        + proven.user().extra().values();
            case Refused refused -> refused.reason().replace("OpenID Connect token: ", "");
            case Undecided undecided -> "undecided: " + undecided.reason();
            case Absent absent -> "absent";
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        sub   | {"sub":"bob"}                                   | i#bob [][]
        sub   | {"sub":"bob","jti":"7"}                         | i#bob [][[JTI=7]]
        sub   | {"sub":"bob","groups":["a","b","a",""]}         | i#bob [g:a, g:b][]
        sub   | {"sub":"bob","groups":"a"}                      | i#bob [g:a][]
        sub   | {"sub":"bob","groups":[]}                       | i#bob [][]
        sub   | {"sub":"bob","groups":null}                     | i#bob [][]
        sub   | {"sub":"bob","groups":["a",1]}                  | the claim "groups" is neither a string nor a list of strings
        sub   | {"sub":"bob","groups":{"a":"b"}}                | the claim "groups" is neither a string nor a list of strings
        sub   | {}                                              | the claim "sub" is not a string, expected the user name
        sub   | {"sub":""}                                      | the claim "sub" is not a string, expected the user name
        sub   | {"sub":7}                                       | the claim "sub" is not a string, expected the user name
        email | {"email":"b@x","email_verified":true}           | i#b@x [][]
        email | {"email":"b@x"}                                 | i#b@x [][]
        email | {"email":"b@x","email_verified":false}          | the email address is not verified
        email | {"email":"b@x","email_verified":"true"}         | the email address is not verified
        email | {"email":"b@x","email_verified":null}           | the email address is not verified
        name  | {"name":"b","email_verified":false}             | i#b [][]
        """)
    void claimsBecomeAUser(String claim, String json, String expected) throws JsonProcessingException {
        IssuerRules rules = new IssuerRules(
                "i",
                "me",
                new IssuerRules.Mapping(claim, "i#"),
                new IssuerRules.Mapping("groups", "g:"),
                Map.of(),
                List.of("RS256"));
        assertThat(mapped(rules, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"sub":"bob","hd":"x"}   | bob [][]
        {"sub":"bob"}            | the required claim "hd" is missing
        {"sub":"bob","hd":"y"}   | the required claim "hd" has another value
        {"sub":"bob","hd":["x"]} | the required claim "hd" has another value
        {"sub":"bob","hd":"x","groups":["a"]} | bob [][]
        """)
    void requiredClaimsHaveTheirValues(String json, String expected) throws JsonProcessingException {
        IssuerRules rules = new IssuerRules(
                "i",
                "me",
                new IssuerRules.Mapping("sub", ""),
                new IssuerRules.Mapping("", ""),
                Map.of("hd", "x"),
                List.of("RS256"));
        assertThat(mapped(rules, json)).isEqualTo(expected);
    }
}
