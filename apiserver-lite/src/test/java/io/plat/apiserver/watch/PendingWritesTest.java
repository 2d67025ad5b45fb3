package io.plat.apiserver.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
    private final PendingWrites pending = new PendingWrites(100);
    private final List<String> abort = new ArrayList<>();

    private void add(String write, byte[]... frames) {
        pending.add(write, List.of(frames), () -> abort.add(write));
    }

    @Test
    void longestWaitingWriterIsDisconnected() {
        add("a", new byte[60]);
        add("b", new byte[40]);
        assertThat(abort).isEmpty();
        add("c", new byte[50]);
        assertThat(abort).containsExactly("a");
        add("d", new byte[90]);
        assertThat(abort).containsExactly("a", "b", "c");
    }

    @Test
    void sharedFrameCountsOnce() {
        byte[] shared = new byte[80];
        for (int i = 0; i < 50; i++) {
            add("w" + i, shared);
        }
        assertThat(abort).isEmpty();
        for (int i = 0; i < 49; i++) {
            pending.end("w" + i);
        }
        add("x", new byte[21]);
        assertThat(abort).containsExactly("w49");
    }

    @Test
    void readBytesAreReleased() {
        for (int i = 0; i < 10; i++) {
            add("w", new byte[90]);
            pending.end("w");
            pending.end("w");
        }
        assertThat(abort).isEmpty();
    }

    @Test
    void oversizedWriterIsDisconnected() {
        add("a", new byte[101]);
        assertThat(abort).containsExactly("a");
        add("b", new byte[100]);
        assertThat(abort).containsExactly("a");
    }
}
