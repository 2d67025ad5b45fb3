package io.plat.engine.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ShardedMapTest {
    /** One change: keys to set, and keys to remove. */
    record Change(Map<String, Integer> puts, List<String> removals) {}

    @Property(tries = 300)
    void behavesAsAMapThroughAnyChanges(@ForAll("changes") List<Change> changes) {
        Map<String, Integer> expected = new HashMap<>();
        ShardedMap<String, Integer> map = ShardedMap.empty();
        for (Change change : changes) {
            ShardedMap<String, Integer> before = map;
            Map<String, Integer> was = new HashMap<>(expected);
            Map<String, @Nullable Integer> changed = new HashMap<>();
            change.removals().forEach(key -> changed.put(key, null));
            changed.putAll(change.puts());
            map = map.with(changed);
            change.removals().forEach(expected::remove);
            expected.putAll(change.puts());
            assertThat(entries(map)).isEqualTo(expected);
            assertThat(map.size()).isEqualTo(expected.size());
            assertThat(map.isEmpty()).isEqualTo(expected.isEmpty());
            assertThat(entries(before)).as("the map before the change").isEqualTo(was);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(map.get("k" + i)).isEqualTo(expected.get("k" + i));
        }
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<String> keys = Arbitraries.integers().between(0, 39).map(i -> "k" + i);
        return Combinators.combine(
                        Arbitraries.maps(keys, Arbitraries.integers()).ofMaxSize(12),
                        keys.list().ofMaxSize(6))
                .as(Change::new)
                .list()
                .ofMaxSize(12);
    }

    @Test
    void growsIncrementallyToAnySize() {
        ShardedMap<String, Integer> map = ShardedMap.empty();
        for (int i = 0; i < 5_000; i++) {
            map = map.with(Map.of("k" + i, i));
        }
        assertThat(map.size()).isEqualTo(5_000);
        for (int i = 0; i < 5_000; i++) {
            assertThat(map.get("k" + i)).isEqualTo(i);
        }
        assertThat(map.get("k5000")).isNull();
        for (int i = 0; i < 5_000; i += 2) {
            map = map.with(Collections.singletonMap("k" + i, null));
        }
        assertThat(map.size()).isEqualTo(2_500);
        assertThat(map.get("k7")).isEqualTo(7);
        assertThat(map.get("k8")).isNull();
    }

    /** Keys that were chosen to collide are found without comparing all of them. */
    @Test
    void keysWithCollidingHashCodesAreFound() {
        List<String> keys = collisions(12);
        Map<String, Integer> entries = new HashMap<>();
        keys.forEach(key -> entries.put(key, entries.size()));
        ShardedMap<String, Integer> map = ShardedMap.of(entries);
        assertThat(keys).map(String::hashCode).containsOnly(keys.getFirst().hashCode());
        assertThat(map.size()).isEqualTo(4_096);
        keys.forEach(key -> assertThat(map.get(key)).isEqualTo(entries.get(key)));
    }

    private static List<String> collisions(int pairs) {
        List<String> keys = List.of("");
        for (int i = 0; i < pairs; i++) {
            List<String> longer = new ArrayList<>();
            keys.forEach(key -> {
                longer.add(key + "Aa");
                longer.add(key + "BB");
            });
            keys = longer;
        }
        return keys;
    }

    private static Map<String, Integer> entries(ShardedMap<String, Integer> map) {
        Map<String, Integer> entries = new HashMap<>();
        map.forEach(entries::put);
        return entries;
    }
}
