package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings for clients, and their limits. */
final class WarningHeaderTest {
    @Test
    void warningsAreQuotedStrings() {
        assertThat(Dispatcher.warnings(List.of("unknown field \"a\\b\"", "line\nend é")))
                .containsExactly("299 - \"unknown field \\\"a\\\\b\\\"\"", "299 - \"line?end ??\"");
    }

    @Test
    void warningsAreDeduplicated() {
        assertThat(Dispatcher.warnings(List.of("a", "b", "a"))).containsExactly("299 - \"a\"", "299 - \"b\"");
    }

    @Test
    void singleLongWarningIsComplete() {
        assertThat(Dispatcher.warnings(List.of("x".repeat(4096))).getFirst()).hasSize(4096 + 8);
    }

    @Test
    void manyLongWarningsAreTruncatedThenOmitted() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            texts.add(i + "x".repeat(1000));
        }
        assertThat(Dispatcher.warnings(texts))
                .hasSize(16)
                .allSatisfy(value -> assertThat(value).hasSize(256 + 8));
    }
}
