package io.plat.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private final FairQueue<String> queue = new FairQueue<>();

    private String removeAll() {
        var removed = new ArrayList<String>();
        while (!queue.isEmpty()) {
            removed.add(queue.remove());
        }
        return String.join(" ", removed);
    }

    @Test
    void clientsTakeTurnsRegardlessOfTheirNumberOfElements() {
        for (String element : List.of("m1", "m2", "m3", "o1", "t1", "t2")) {
            queue.add(element.substring(0, 1), element);
        }
        assertThat(removeAll()).isEqualTo("m1 o1 t1 m2 t2 m3");
    }

    @Test
    void clientThatAddsAfterItsTurnIsLast() {
        queue.add("busy", "b1");
        queue.add("busy", "b2");
        queue.add("other", "o1");
        assertThat(queue.remove()).isEqualTo("b1");
        queue.add("new", "n1");
        queue.add("busy", "b3");
        assertThat(removeAll()).isEqualTo("o1 b2 n1 b3");
    }

    @Test
    void elementIsQueuedOnce() {
        queue.add("a", "x");
        queue.add("a", "x");
        queue.add("b", "x");
        assertThat(removeAll()).isEqualTo("x x");
        queue.add("a", "x");
        queue.clear();
        assertThatThrownBy(queue::remove).isInstanceOf(NoSuchElementException.class);
    }
}
