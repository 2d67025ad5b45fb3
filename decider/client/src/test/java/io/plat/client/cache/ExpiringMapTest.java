package io.plat.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.client.cache.CacheCounts.Event;
import io.plat.client.cache.ExpiringMap.Times;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExpiringMapTest {
    private final AtomicLong now = new AtomicLong();
    private final CacheCounts counts = new CacheCounts();
    private final ExpiringMap<Integer, String> map =
            new ExpiringMap<>(key -> key < 10_000 ? "one" : "other", 100, now::get, counts);

    private void put(int key, int weight, long until) {
        map.put(key, "v" + key, new Times(now.get(), until), weight);
    }

    private @Nullable String find(int key) {
        ExpiringMap.Entry<Integer, String> entry = map.find(key);
        return entry == null ? null : entry.value();
    }

    @Test
    void entriesExpireRegardlessOfUse() {
        put(1, 1, 10);
        for (int i = 0; i < 10; i++) {
            now.set(i);
            assertThat(find(1)).isEqualTo("v1");
        }
        now.set(10);
        assertThat(find(1)).isNull();
        assertThat(map.size()).isZero();
        assertThat(map.weight()).isZero();
        assertThat(counts.of(Event.EXPIRED)).isEqualTo(1);
    }

    @Test
    void expiredEntriesAreRemovedWithoutLookups() {
        for (int i = 0; i < 50; i++) {
            put(i, 1, 10);
        }
        now.set(10);
        for (int i = 100; i < 150; i++) {
            put(i, 1, 20);
        }
        assertThat(map.size()).isEqualTo(50);
        assertThat(counts.of(Event.EXPIRED)).isEqualTo(50);
    }

    @Test
    void theOldestUnusedEntryIsEvicted() {
        for (int i = 0; i < 10; i++) {
            put(i, 10, 1000);
        }
        assertThat(find(0)).isNotNull();
        put(10, 20, 1000);
        assertThat(find(0)).isNotNull();
        assertThat(find(10)).isNotNull();
        assertThat(map.size()).isEqualTo(9);
        assertThat(counts.of(Event.SIZE)).isEqualTo(2);
    }

    @Test
    void anOwnerOfMoreThanAQuarterEvictsItsOwnEntries() {
        for (int i = 0; i < 7; i++) {
            put(i, 10, 1000);
        }
        for (int i = 10_000; i < 11_000; i++) {
            put(i, 5, 1000);
        }
        assertThat(map.weight()).isEqualTo(100);
        for (int i = 0; i < 7; i++) {
            assertThat(find(i)).isNotNull();
        }
        assertThat(find(10_999)).isNotNull();
        assertThat(find(10_993)).isNull();
    }

    @Test
    void anOwnerAloneUsesAllAndMakesRoomForOthers() {
        for (int i = 10_000; i < 10_020; i++) {
            put(i, 5, 1000);
        }
        assertThat(map.size()).isEqualTo(20);
        put(1, 20, 1000);
        assertThat(find(1)).isNotNull();
        assertThat(map.size()).isEqualTo(17);
    }

    @Test
    void anEntryThatIsHeavierThanTheMapIsNotAdded() {
        put(1, 60, 1000);
        put(2, 101, 1000);
        assertThat(find(1)).isNotNull();
        assertThat(find(2)).isNull();
    }

    /** After any operations, the weight is the sum of the entries and never exceeds the maximum, and a key has its last value. */
    @Property
    void weightIsBounded(@ForAll @Size(max = 200) List<@IntRange(max = 9999) Integer> steps) {
        Map<Integer, Long> untils = new TreeMap<>();
        for (int step : steps) {
            int key = step % 20;
            int weight = 1 + step / 20 % 40;
            if (step % 3 == 0) {
                now.addAndGet(step % 7);
                String found = find(key);
                Long until = untils.get(key);
                assertThat(found == null || (until != null && until > now.get()))
                        .isTrue();
            } else {
                put(key, weight, now.get() + step % 50);
                untils.put(key, now.get() + step % 50);
            }
            assertThat(map.weight()).isBetween(0L, 100L);
        }
        now.addAndGet(1000);
        for (int key = 0; key < 20; key++) {
            assertThat(find(key)).isNull();
        }
        assertThat(map.weight()).isZero();
        assertThat(map.size()).isZero();
    }

    @Test
    void concurrentLookupsDoNotPreventEviction() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 10; i++) {
            put(i, 10, 1_000_000);
        }
        threads.execute(() -> {
            for (int i = 0; end.getCount() > 0; i++) {
                map.find(i % 1000);
            }
        });
        for (int i = 10; i < 5000; i++) {
            put(i, 10, 1_000_000);
        }
        end.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(map.weight()).isEqualTo(100);
        assertThat(map.size()).isEqualTo(10);
    }
}
