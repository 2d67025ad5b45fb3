package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import java.util.regex.Pattern;
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
}
