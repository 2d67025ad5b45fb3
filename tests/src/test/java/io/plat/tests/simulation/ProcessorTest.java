package io.plat.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two cores, and pieces of work of 10 each. */
final class ProcessorTest {
    private final Timeline time = new Timeline(1);
    private final Processor cores = new Processor(time, 2, 0);
    private final List<Long> ended = new ArrayList<>();

    @ParameterizedTest(name = "{0} threads, connections {1} and {2}: the last ends at {3}")
    @CsvSource({"1, 0, 1, 20", "2, 0, 1, 10", "2, 0, 2, 20", "0, 0, 0, 10"})
    void connectionsOfOneThreadAreProcessedInOrder(int threads, int one, int other, long last) {
        Processor.Share share = cores.share(threads);
        read(share, one);
        read(share, other);
        time.runTo(100);
        assertThat(ended).containsExactly(10L, last);
    }

    @Test
    void coreRunsWorkThatNeedsNoThread() {
        Processor.Share share = cores.share(1);
        read(share, 0);
        read(share, 0);
        share.run(10, this::end, () -> {});
        read(share, 0);
        time.runTo(100);
        assertThat(ended).containsExactly(10L, 10L, 20L, 30L);
    }

    @Test
    void lostThreadIsReleased() {
        Processor.Share share = cores.share(1);
        List<String> lost = new ArrayList<>();
        share.read(0, 10, this::end, () -> lost.add("running"));
        share.read(0, 10, this::end, () -> lost.add("waiting"));
        time.runTo(5);
        share.abort();
        assertThat(lost).containsExactlyInAnyOrder("running", "waiting");
        read(share, 0);
        time.runTo(100);
        assertThat(ended).containsExactly(15L);
    }

    private void read(Processor.Share share, int connection) {
        share.read(connection, 10, this::end, () -> {});
    }

    private void end() {
        ended.add(time.now());
    }
}
