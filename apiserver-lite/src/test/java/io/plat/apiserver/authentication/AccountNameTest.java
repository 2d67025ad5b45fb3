package io.plat.apiserver.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountNameTest {
    @ParameterizedTest
    @CsvSource({
        "system:serviceaccount:a:b,         a|b",
        "system:serviceaccount:a-1:b.c-d.e, a-1|b.c-d.e",
        "system:serviceaccount:a.b:c,       ''",
        "system:serviceaccount:a:b:c,       ''",
        "system:serviceaccount:a,           ''",
        "system:serviceaccount::b,          ''",
        "system:serviceaccount:a:,          ''",
        "system:serviceaccount:a:B,         ''",
        "system:serviceaccount:a:b..c,      ''",
        "system:serviceaccount:-a:b,        ''",
        "system:serviceaccounts:a:b,        ''",
        "alice,                             ''",
    })
    void userNameIsParsedAsAServiceAccount(String user, String expected) {
        assertThat(AccountName.ofUser(user)
                        .map(account -> account.namespace() + "|" + account.name())
                        .orElse(""))
                .isEqualTo(expected);
    }

    @Test
    void namesHaveAMaximumLength() {
        String label = "a".repeat(63);
        String subdomain = "a".repeat(253);
        assertThat(AccountName.ofUser("system:serviceaccount:" + label + ":" + subdomain))
                .isPresent();
        assertThat(AccountName.ofUser("system:serviceaccount:" + label + "a:b")).isEmpty();
        assertThat(AccountName.ofUser("system:serviceaccount:a:" + subdomain + "a"))
                .isEmpty();
    }

    @Test
    void serviceAccountHasAUserNameAndGroups() {
        AccountName account = new AccountName("team-a", "builder");
        assertThat(account.user()).isEqualTo("system:serviceaccount:team-a:builder");
        assertThat(account.groups()).containsExactly("system:serviceaccounts", "system:serviceaccounts:team-a");
    }
}
