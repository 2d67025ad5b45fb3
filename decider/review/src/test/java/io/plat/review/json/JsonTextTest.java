package io.plat.review.json;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextTest {
    @ParameterizedTest
    @CsvSource({
        "'', true",
        "abc, true",
        "'\ud83d\ude00', true",
        "'x\ud83d\ude00\ud83d\ude00', true",
    })
    void pairsAreWellFormed(String text, boolean expected) {
        assertThat(JsonText.isWellFormed(text)).isEqualTo(expected);
        assertThat(JsonText.wellFormed(text)).isSameAs(text);
    }

    @Test
    void unpairedHalvesAreReplaced() {
        assertThat(JsonText.wellFormed("a\ud83d")).isEqualTo("a\ufffd");
        assertThat(JsonText.wellFormed("\ude00a")).isEqualTo("\ufffda");
        assertThat(JsonText.wellFormed("\ud83dx\ude00")).isEqualTo("\ufffdx\ufffd");
        assertThat(JsonText.wellFormed("\ud83d\ud83d\ude00")).isEqualTo("\ufffd\ud83d\ude00");
        assertThat(JsonText.isWellFormed("\ude00\ud83d")).isFalse();
    }

    @Property
    void theOutcomeIsWellFormedAndOfTheSameLength(@ForAll String text) {
        assertThat(JsonText.isWellFormed(JsonText.wellFormed(text))).isTrue();
        assertThat(JsonText.wellFormed(text)).hasSameSizeAs(text);
    }
}
