package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Equal words are one string, also when there are many, and when all of them have one hash. */
final class ByteWordsTest {
    private final ByteWords words = new ByteWords();

    private String word(String text, int hash) {
        byte[] bytes = (" " + text + " ").getBytes(StandardCharsets.US_ASCII);
        return words.word(bytes, 1, 1 + text.length(), hash);
    }

    private String word(String text) {
        int hash = 0;
        for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
            hash = ByteWords.hash(hash, b);
        }
        return word(text, hash);
    }

    @Test
    void equalWordsAreOneString() {
        String first = word("0");
        Set<String> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 50_000; i++) {
            String text = Integer.toString(i);
            kept.add(word(text));
            String again = word(text);
            assertThat(again).isEqualTo(text);
            kept.add(again);
        }
        assertThat(kept).as("a few of one place are kept twice").hasSizeLessThan(50_500);
        assertThat(word("0")).isSameAs(first);
        assertThat(word("")).isEmpty();
    }

    @Test
    void wordsOfOneHashAreToldApart() {
        for (int i = 0; i < 1000; i++) {
            assertThat(word(Integer.toString(i), 1)).isEqualTo(Integer.toString(i));
        }
    }
}
