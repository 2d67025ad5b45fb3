package io.plat.http.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.review.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthenticatorUnionTest {
    private static final Authenticator ABSENT = credentials -> Absent.ABSENT;
    private static final Authenticator REFUSES = credentials -> new Refused("no");

    private static final Authenticator UNDECIDED = credentials -> new Undecided("away");

    private static Authenticator proves(String user, String... groups) {
        return credentials -> new Authenticated(new UserInfo(user, List.of(groups)));
    }

    private static Authenticator member(String word) {
        return switch (word) {
            case "absent" -> ABSENT;
            case "refuses" -> REFUSES;
            case "away" -> UNDECIDED;
            default -> proves(word);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "absent,  absent,  true,  false, system:anonymous",
        "absent,  absent,  false, false, 401",
        "alice,   absent,  true,  false, alice",
        "absent,  alice,   true,  false, alice",
        "alice,   bob,     true,  false, alice",
        "refuses, absent,  true,  false, 401",
        "absent,  refuses, true,  false, 401",
        "refuses, alice,   true,  false, alice",
        "alice,   refuses, true,  false, alice",
        "refuses, refuses, false, false, 401",
        "absent,  absent,  true,  true,  401",
        "alice,   absent,  true,  true,  alice",
        "away,    absent,  true,  false, undecided: away",
        "away,    refuses, true,  false, undecided: away",
        "refuses, away,    false, true,  undecided: away",
        "away,    alice,   true,  false, alice",
    })
    void callsMembersInOrderAndNeverFallsBackToAnonymous(
            String first, String second, boolean anonymous, boolean foreignHeader, String expected) {
        AuthenticatorUnion union = new AuthenticatorUnion(List.of(member(first), member(second)), anonymous);
        Authentication answer = union.authenticate(
                foreignHeader ? TestingCredentials.authorization("Negotiate abc") : TestingCredentials.NONE);
        assertThat(describe(answer)).isEqualTo(expected);
    }

    private static String describe(Authentication answer) {
        return switch (answer) {
            case Authenticated proven -> proven.user().name();
            case Refused refused -> "401";
            case Undecided undecided -> "undecided: " + undecided.reason();
            case Absent absent -> "absent";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "alice,            dev,                    dev system:authenticated",
        "alice,            system:authenticated,   system:authenticated",
        "alice,            system:unauthenticated, system:unauthenticated",
        "system:anonymous, dev,                    dev",
    })
    void addsTheGroupOfAuthenticatedUsers(String user, String group, String expected) {
        AuthenticatorUnion union = new AuthenticatorUnion(List.of(proves(user, group)), true);
        assertThat(union.authenticate(TestingCredentials.NONE))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        proven -> assertThat(String.join(" ", proven.user().groups()))
                                .isEqualTo(expected));
    }

    @Test
    void anonymousRequestsAreUnauthenticated() {
        AuthenticatorUnion union = new AuthenticatorUnion(List.of(), true);
        assertThat(union.authenticate(TestingCredentials.NONE))
                .isEqualTo(new Authenticated(new UserInfo("system:anonymous", List.of("system:unauthenticated"))));
    }
}
