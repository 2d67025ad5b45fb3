package io.plat.http.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeapWatchTest {
    /** A fake heap whose size and use the test sets, in MiB. */
    private static final class FakeHeap {
        private long taken;
        private long used;
        private long usedOnceCollected;
        private int collected;

        long taken() {
            return taken << 20;
        }

        long used() {
            return used << 20;
        }

        void collect() {
            collected++;
            used = usedOnceCollected;
            taken = used + used / 4;
        }
    }

    @ParameterizedTest(name = "{1} of {0} MiB in use, then {2}: {3} collections")
    @CsvSource({
        "16, 10, 16, 0",
        "16, 10, 32, 0",
        "16, 10, 33, 1",
        "100, 80, 180, 0",
        "100, 80, 181, 1",
    })
    void aDoubledHeapIsCollected(long taken, long used, long grown, int collections) {
        FakeHeap heap = new FakeHeap();
        heap.taken = taken;
        heap.used = used;
        HeapWatch watch = new HeapWatch(heap::taken, heap::used, heap::collect);
        heap.taken = grown;
        heap.used = grown;
        heap.usedOnceCollected = used;
        watch.check();
        watch.check();
        assertThat(heap.collected).isEqualTo(collections);
    }

    /** Live objects do not cause repeated collections. */
    @ParameterizedTest
    @CsvSource({"40, 1", "200, 3", "1000, 6"})
    void aLiveHeapIsCollectedOncePerDoubling(long grown, int most) {
        FakeHeap heap = new FakeHeap();
        heap.taken = 16;
        heap.used = 10;
        HeapWatch watch = new HeapWatch(heap::taken, heap::used, heap::collect);
        while (heap.taken < grown) {
            heap.taken += 2;
            heap.used = heap.taken;
            heap.usedOnceCollected = heap.used;
            watch.check();
        }
        assertThat(heap.collected).isBetween(1, most);
    }
}
