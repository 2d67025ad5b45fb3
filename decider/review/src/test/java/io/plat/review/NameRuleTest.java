package io.plat.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid names are those matched by the regular expressions in messages. */
class NameRuleTest {
    @Property
    void namesMatchTheExpressionInTheMessage(@ForAll NameRule rule, @ForAll("names") String name) {
        if (rule.regex().isEmpty()) {
            return;
        }
        boolean matches = Pattern.compile(rule.regex()).matcher(name).matches();

        assertThat(rule.problems(name).isEmpty()).isEqualTo(matches);
        String problems = rule.problems(name).toString();
        assertThat(problems.contains(rule.regex()) || problems.contains("must not contain dots"))
                .isEqualTo(!matches);
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> close = Arbitraries.strings().withChars("az09-.").ofMaxLength(12);
        Arbitrary<String> wide =
                Arbitraries.strings().withChars("aZ0-._/ \n\u00e9").ofMaxLength(6);
        return Arbitraries.oneOf(close, wide, Combinators.combine(close, wide).as((one, two) -> one + two));
    }

    @ParameterizedTest
    @CsvSource({"63, true", "64, false"})
    void labelsHaveAMaximumLength(int length, boolean valid) {
        assertThat(NameRule.LABEL.problems("a".repeat(length)).isEmpty()).isEqualTo(valid);
    }

    @ParameterizedTest
    @CsvSource({
        "name, ''",
        "example.com/name, ''",
        "Example.com/name, prefix part",
        "/name, prefix part must be non-empty",
        "example.com/, name part must be non-empty",
        "'', name part must be non-empty",
        "a/b/c, a valid label key must consist of",
        "example.com/-name, name part must consist of",
    })
    void aQualifiedNameMayHaveAPrefix(String name, String problem) {
        List<String> problems = NameRule.qualifiedName(name);

        if (problem.isEmpty()) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems.getFirst()).startsWith(problem);
            assertThat(problems).hasSize(problem.startsWith("name part must be non-empty") ? 2 : 1);
        }
    }
}
