package io.plat.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Progress of long operations on a terminal, which is removed at the end. */
final class ProgressLineTest {
    private final StringWriter terminal = new StringWriter();
    private final AtomicLong now = new AtomicLong();

    private ProgressLine begin(long total) {
        return new ProgressLine("questions", total, new PrintWriter(terminal), now::get);
    }

    @Test
    void shortTaskShowsNoProgress() {
        try (ProgressLine progress = begin(1000)) {
            for (int i = 0; i < 1000; i++) {
                progress.step();
                progress.show();
            }
        }
        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void longTaskShowsATransientLine() {
        try (ProgressLine progress = begin(10)) {
            progress.to(4);
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            progress.show();
            assertThat(terminal.toString()).isEmpty();
            now.addAndGet(Duration.ofSeconds(2).toNanos());
            progress.step();
            progress.show();
            progress.show();
            assertThat(terminal.toString())
                    .startsWith("\rquestions: 50 %, 3 s ")
                    .hasSize(79);
        }
        assertThat(terminal.toString()).endsWith(" \r").doesNotContain("\n");
    }

    @Test
    void totalMayBeUnknown() {
        try (ProgressLine progress = begin(-1)) {
            now.addAndGet(Duration.ofSeconds(3).toNanos());
            progress.show();
            assertThat(terminal.toString()).startsWith("\rquestions: 3 s ");
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            progress.step();
            progress.show();
            assertThat(terminal.toString()).contains("\rquestions: 1, 4 s ");
        }
        assertThat(terminal.toString()).endsWith("\r");
    }

    @Test
    void interruptionRemovesTheLine() {
        ProgressLine progress = begin(-1);
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        progress.show();
        progress.close();
        progress.show();
        progress.close();
        assertThat(terminal.toString()).endsWith(" \r").hasSize(159);
    }

    @Test
    void nothingIsShownWithoutATerminal() {
        try (ProgressLine progress = ProgressLine.begin("questions", 3, null)) {
            progress.to(3);
        }
        assertThat(terminal.toString()).isEmpty();
    }
}
