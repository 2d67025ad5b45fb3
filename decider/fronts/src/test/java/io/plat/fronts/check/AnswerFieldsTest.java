package io.plat.fronts.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.fronts.check.AnswerFields.Field;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AnswerFieldsTest {
    private static final UserInfo ODD = new UserInfo("a%\r\nX: b\u00e9", List.of("a,b", "c d"));

    @Test
    void valuesAreOneLineOfAscii() {
        assertThat(new AnswerFields(List.of(Field.USER, Field.GROUPS)).values(ODD, "id", "revision"))
                .isEqualTo(Map.of("X-Auth-User", "a%25%0D%0AX: b%C3%A9", "X-Auth-Groups", "a%2Cb,c d"));
        assertThat(AnswerFields.reason("no\r\nSet-Cookie: a\u00e9")).isEqualTo("no  Set-Cookie: a%C3%A9");
        assertThat(AnswerFields.reason("a".repeat(10_000)).length()).isLessThan(1100);
        assertThat(AnswerFields.reason("\u4e00".repeat(10_000))).hasSize(2000);
    }

    /** Applications trim fields and the elements of lists, which would result in another user's name. */
    @Test
    void spacesAtTheEndsOfNamesAreEncoded() {
        UserInfo spaced = new UserInfo("  alice ", List.of(" admins", "x ", " "));
        assertThat(new AnswerFields(List.of(Field.USER, Field.GROUPS)).values(spaced, "id", "revision"))
                .isEqualTo(Map.of("X-Auth-User", "%20 alice%20", "X-Auth-Groups", "%20admins,x%20,%20"));
    }

    @Test
    void valuesThatAreTooLongForAnAnswerAreSentEmpty() {
        List<String> groups =
                IntStream.range(0, 1000).mapToObj(i -> "group-" + i).toList();
        UserInfo user = new UserInfo("\u00e9".repeat(333), groups);
        assertThat(new AnswerFields(List.of(Field.values())).values(user, "id", "revision"))
                .containsEntry("X-Auth-User", "%C3%A9".repeat(333))
                .containsEntry("X-Auth-Groups", "");
        assertThat(new AnswerFields(List.of(Field.USER))
                        .values(new UserInfo("\u00e9".repeat(334), List.of()), "id", "revision"))
                .containsEntry("X-Auth-User", "");
    }

    @Test
    void onlyNamedFieldsAreSent() {
        assertThat(new AnswerFields(List.of()).values(ODD, "id", "revision")).isEmpty();
        assertThat(new AnswerFields(List.of(Field.REVISION, Field.DECISION)).values(ODD, "id", "revision"))
                .isEqualTo(Map.of("X-Auth-Decision-Id", "id", "X-Auth-Policy-Revision", "revision"));
        assertThat(Field.of("x-auth-user")).contains(Field.USER);
        assertThat(Field.of("x-auth-users")).isEmpty();
    }
}
