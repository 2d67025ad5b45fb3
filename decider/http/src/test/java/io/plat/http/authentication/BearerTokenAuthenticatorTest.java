package io.plat.http.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BearerTokenAuthenticatorTest {
    private final List<String> calls = new ArrayList<>();

    private TokenAuthenticator member(String word) {
        return new TokenAuthenticator() {
            @Override
            public Authentication authenticate(String token, List<String> audiences) {
                calls.add(word + audiences);
                return switch (word) {
                    case "absent" -> Absent.ABSENT;
                    case "refuses" -> new Refused("it is over");
                    case "away" -> new Undecided("away");
                    default -> new Authenticated(new UserInfo(word, List.of("dev")), audiences);
                };
            }

            @Override
            public boolean waits(String token) {
                return token.equals("slow") && word.equals("refuses");
            }
        };
    }

    private BearerTokenAuthenticator tokens(String first, String second) {
        return new BearerTokenAuthenticator(List.of(member(first), member(second)), List.of("api"));
    }

    private static String describe(Authentication answer) {
        return switch (answer) {
            case Authenticated proven -> proven.user().name() + proven.audiences();
            case Refused refused -> refused.reason();
            case Undecided undecided -> "undecided: " + undecided.reason();
            case Absent absent -> "absent";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "absent,  absent,  invalid bearer token",
        "refuses, absent,  invalid bearer token: it is over",
        "absent,  refuses, invalid bearer token: it is over",
        "alice,   bob,     alice[api]",
        "refuses, bob,     bob[api]",
        "absent,  bob,     bob[api]",
        "away,    bob,     bob[api]",
        "away,    refuses, undecided: away",
        "refuses, away,    undecided: away",
    })
    void theFirstAcceptingMemberDecides(String first, String second, String expected) {
        assertThat(describe(tokens(first, second).authenticate(TestingCredentials.token("t"))))
                .isEqualTo(expected);
    }

    @Test
    void readsOnlyASingleBearerToken() {
        for (TestingCredentials credentials : List.of(
                TestingCredentials.NONE,
                TestingCredentials.authorization("Basic czNjcmV0"),
                TestingCredentials.authorization("Bearer"),
                TestingCredentials.authorization("Bearer "),
                TestingCredentials.authorization("s3cret"),
                TestingCredentials.authorization("Bearer s3cret", "Bearer s3cret"))) {
            assertThat(tokens("alice", "bob").authenticate(credentials)).isEqualTo(Absent.ABSENT);
        }
        assertThat(calls).isEmpty();
    }

    @Test
    void aTooLongTokenReachesNoMember() {
        String longest = "x".repeat(BearerTokenAuthenticator.MAX_TOKEN_LENGTH);
        assertThat(describe(tokens("alice", "bob").authenticate(TestingCredentials.token(longest))))
                .isEqualTo("alice[api]");
        calls.clear();
        assertThat(describe(tokens("alice", "bob").authenticate(TestingCredentials.token(longest + "x"))))
                .isEqualTo("invalid bearer token: longer than 32768 characters");
        assertThat(calls).isEmpty();
    }

    @Test
    void aReviewHasItsOwnAudiencesAndAllGroups() {
        assertThat(tokens("alice", "bob").review("t", List.of("vault")))
                .isEqualTo(new Authenticated(
                        new UserInfo("alice", List.of("dev", "system:authenticated")), List.of("vault")));
        assertThat(describe(tokens("absent", "absent").review("t", List.of("vault"))))
                .isEqualTo("invalid bearer token");
    }

    @Test
    void waitsIfAMemberDoes() {
        assertThat(tokens("alice", "refuses").waits(TestingCredentials.token("slow")))
                .isTrue();
        assertThat(tokens("alice", "refuses").waits(TestingCredentials.token("quick")))
                .isFalse();
        assertThat(tokens("alice", "bob").waits(TestingCredentials.token("slow")))
                .isFalse();
        assertThat(tokens("alice", "refuses").waits(TestingCredentials.NONE)).isFalse();
        AuthenticatorUnion union = new AuthenticatorUnion(List.of(tokens("alice", "refuses")), true);
        assertThat(union.waits(TestingCredentials.token("slow"))).isTrue();
        assertThat(union.waits(TestingCredentials.token("quick"))).isFalse();
    }
}
