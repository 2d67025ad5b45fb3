package io.plat.fronts.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.fronts.check.AnswerFields.Field;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerFieldsTest {
    private static final UserInfo ODD = new UserInfo("a%\r\nX: b\u00e9", List.of("a,b", "c d"));

    @Test
    void valuesAreOneLineOfAscii() {
        assertThat(new AnswerFields(List.of(Field.USER, Field.GROUPS)).values(ODD, "id", "revision"))
                .isEqualTo(Map.of("X-Auth-User", "a%25%0D%0AX: b%C3%A9", "X-Auth-Groups", "a%2Cb,c d"));
        assertThat(AnswerFields.reason("no\r\nSet-Cookie: a\u00e9")).isEqualTo("no  Set-Cookie: a%C3%A9");
        assertThat(AnswerFields.reason("a".repeat(10_000)).length()).isLessThan(1100);
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
