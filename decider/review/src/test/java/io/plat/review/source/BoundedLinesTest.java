package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {
    private static BoundedLines lines(String text, int maxLength) {
        return new BoundedLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), maxLength);
    }

    @Test
    void linesHaveAMaximumLength() throws IOException {
        BoundedLines lines = lines("0123456789\n01234567890", 10);
        assertThat(lines.next()).hasSize(10);
        assertThat(lines.isComplete()).isTrue();
        assertThatThrownBy(lines::next)
                .isInstanceOf(BoundedLines.LineTooLongException.class)
                .hasMessage("a line is longer than 10 bytes");
    }

    @Test
    void theLastLineMayLackItsLineFeed() throws IOException {
        BoundedLines lines = lines("\nabc\nde", 10);
        assertThat(lines.next()).isEmpty();
        assertThat(lines.isReady()).isTrue();
        assertThat(lines.next()).asString(StandardCharsets.UTF_8).isEqualTo("abc");
        assertThat(lines.next()).asString(StandardCharsets.UTF_8).isEqualTo("de");
        assertThat(lines.isComplete()).isFalse();
        assertThat(lines.isReady()).isFalse();
        assertThat(lines.bytes()).isEqualTo(7);
        assertThat(lines.next()).isNull();
    }

    @Test
    void linesMayBeLongerThanTheBuffer() throws IOException {
        String line = "x".repeat(200_000);
        BoundedLines lines = lines(line + "\n" + line, 1 << 20);
        assertThat(lines.next()).asString(StandardCharsets.UTF_8).isEqualTo(line);
        assertThat(lines.next()).hasSize(200_000);
        assertThat(lines.next()).isNull();
    }
}
