package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class QuotedTest {
    /** Logs remove what messages and tables escape. */
    @Test
    void theRegularExpressionMatchesTheUnsafeCharacters() {
        Predicate<String> matches = Pattern.compile(Quoted.UNSAFE).asMatchPredicate();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            assertThat(matches.test(Character.toString(c))).as("U+%04X", c).isEqualTo(Quoted.isUnsafe(c));
        }
    }

    @Property
    void differentNamesHaveDifferentTexts(@ForAll("names") String one, @ForAll("names") String other) {
        assertThat(Quoted.name(one).equals(Quoted.name(other))).isEqualTo(one.equals(other));
        assertThat(Quoted.isSafe(Quoted.name(one))).isTrue();
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .withChars('a', ' ', '"', '\\', 'n', '\n', '\u200b', '\u202e', '\u001b')
                .ofMaxLength(4);
    }
}
