package io.plat.review.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.SelectorAttributes.Requirement;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a=b             | a In [b]
        a==b            | a In [b]
        a!=b            | a NotIn [b]
        a.b=c,d!=e      | a.b In [c]; d NotIn [e]
        a=b,            | a In [b]
        a=b\\,c         | a In [b,c]
        a=b\\=c         | a In [b=c]
        a=b\\\\         | a In [b\\]
        a=              | a In []
        a=b=c           | malformed
        a               | malformed
        a=b\\x          | malformed
        """)
    void parsesFieldSelectors(String selector, String expected) {
        assertThat(describe(RequestInfoParser.parseFields(selector).orElse(null)))
                .isEqualTo(expected);
    }

    private static String describe(@Nullable List<Requirement> requirements) {
        if (requirements == null) {
            return "malformed";
        }
        return requirements.stream().map(FieldSelectorsTest::describe).collect(Collectors.joining("; "));
    }

    private static String describe(Requirement requirement) {
        String head = requirement.key() + " " + requirement.operator();
        return requirement.operator().endsWith("In")
                ? head + " [" + String.join(" ", requirement.values()) + "]"
                : head;
    }
}
