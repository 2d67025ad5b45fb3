package io.plat.apiserver.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenTableTest {
    @Test
    void readsUsersWithAndWithoutGroups() throws ProblemsException {
        TokenTable table = TokenTable.parse("tokens.csv", """
            s3cret,alice,1001,"developers,system:masters"
            other,bob,,

            "quo""ted","c,arol",1003,"auditors"\r
            last,dave,4\
            """);
        assertThat(table.size()).isEqualTo(4);
        assertThat(table.find("s3cret"))
                .contains(new UserInfo("alice", "1001", List.of("developers", "system:masters"), Map.of()));
        assertThat(table.find("other")).contains(new UserInfo("bob", "", List.of(), Map.of()));
        assertThat(table.find("quo\"ted")).contains(new UserInfo("c,arol", "1003", List.of("auditors"), Map.of()));
        assertThat(table.find("last")).contains(new UserInfo("dave", "4", List.of(), Map.of()));
    }

    @Test
    void matchesWholeTokensOnly() throws ProblemsException {
        TokenTable table = TokenTable.parse("t", "s3cret,alice,1");
        for (String guess : List.of("", "s", "s3cre", "s3crett", "S3CRET", " s3cret", "s3cret,alice,1")) {
            assertThat(table.find(guess)).as(guess).isEmpty();
        }
    }

    @Test
    void emptyFileHasNoUsers() throws ProblemsException {
        assertThat(TokenTable.parse("t", "").size()).isZero();
        assertThat(TokenTable.parse("t", "\n\r\n").size()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
        a,alice           | 1: found 2 columns, expected token,user,uid and optionally "group1,group2" in quotes
        a                 | 1: found 1 column, expected token,user,uid and optionally "group1,group2" in quotes
        a,b,c,d,e         | 1: found 5 columns, expected token,user,uid and optionally "group1,group2" in quotes
        ,alice,1          | 1: an empty token, expected token,user,uid
        a,,1              | 1: an empty user name, expected token,user,uid
        a,al"ice,1        | 1: a quote inside a field, expected the whole field in quotes
        a,"al"ice,1       | 1: text after a closing quote, expected a comma or the end of the line
        a,"alice,1        | 1: a quote that is never closed
        """)
    void reportsProblemsWithTheirLines(String text, String problem) {
        assertThatThrownBy(() -> TokenTable.parse("tokens.csv", text))
                .isInstanceOf(ProblemsException.class)
                .hasMessage("tokens.csv:" + problem);
    }

    @Test
    void reportsEveryProblemAndNoToken() {
        assertThatThrownBy(() -> TokenTable.parse("t", "hunter2,alice\nok,bob,1\nhunter3,\nok,eve,2\n"))
                .isInstanceOfSatisfying(ProblemsException.class, e -> {
                    assertThat(e.problems()).extracting(p -> p.where().line()).containsExactly(1, 3, 4);
                    assertThat(e.getMessage())
                            .contains("t:4: the token of line 2 again")
                            .doesNotContain("hunter");
                });
    }

    @Test
    void linesAreCountedThroughQuotedFields() {
        assertThatThrownBy(() -> TokenTable.parse("t", "a,\"two\nlines\",1\nb\n"))
                .isInstanceOf(ProblemsException.class)
                .hasMessageStartingWith("t:3: found 1 column");
    }
}
