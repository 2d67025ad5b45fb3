package io.plat.apiserver.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.SelectorAttributes.Requirement;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelRequirementsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a=b             | a In [b]
        a==b            | a In [b]
        a = b           | a In [b]
        a!=b            | a NotIn [b]
        a=              | a In []
        a               | a Exists
        !a              | a DoesNotExist
        "! a"           | a DoesNotExist
        a in (b)        | a In [b]
        a in (b, c)     | a In [b c]
        a in(b,c)       | a In [b c]
        a notin (b,c)   | a NotIn [b c]
        a in (b),c      | a In [b]; c Exists
        a=b,c!=d,!e     | a In [b]; c NotIn [d]; e DoesNotExist
        in              | in Exists
        k8s.io/app=x-1  | k8s.io/app In [x-1]
        ===             | malformed
        a=b=c           | malformed
        a,              | malformed
        ",a"            | malformed
        a b             | malformed
        a in b          | malformed
        a in (b         | malformed
        a in (b))       | malformed
        a near (b)      | malformed
        !               | malformed
        !a=b            | malformed
        """)
    void parsesLabelSelectors(String selector, String expected) {
        assertThat(describe(LabelSelector.requirements(selector).orElse(null))).isEqualTo(expected);
    }

    private static String describe(@Nullable List<Requirement> requirements) {
        if (requirements == null) {
            return "malformed";
        }
        return requirements.stream().map(LabelRequirementsTest::describe).collect(Collectors.joining("; "));
    }

    private static String describe(Requirement requirement) {
        String head = requirement.key() + " " + requirement.operator();
        return requirement.operator().endsWith("In")
                ? head + " [" + String.join(" ", requirement.values()) + "]"
                : head;
    }
}
