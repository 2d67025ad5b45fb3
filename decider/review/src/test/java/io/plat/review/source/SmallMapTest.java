package io.plat.review.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A few entries are a map like any other; mappings are read in the same way for any number of keys. */
class SmallMapTest {
    private static SequencedMap<String, Integer> plain(int count) {
        SequencedMap<String, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            map.put("k" + (i * 7 % 11), i);
        }
        return map;
    }

    @Property(tries = 50)
    void equalTheOriginalMap(@ForAll @IntRange(min = 0, max = 8) int count) {
        SequencedMap<String, Integer> plain = plain(count);
        SmallMap<Integer> few = new SmallMap<>(
                plain.keySet().toArray(String[]::new), plain.values().toArray(Integer[]::new));
        assertThat(few).isEqualTo(plain).hasSameHashCodeAs(plain).hasSize(plain.size());
        assertThat(List.copyOf(few.entrySet())).isEqualTo(List.copyOf(plain.entrySet()));
        assertThat(new ArrayList<>(few.reversed().keySet()))
                .isEqualTo(new ArrayList<>(plain.reversed().keySet()));
        plain.forEach((key, value) -> assertThat(few.get(key)).isEqualTo(value));
        assertThat(few.get("absent")).isNull();
        assertThat(few.containsKey("absent")).isFalse();
        assertThatThrownBy(() -> few.put("k", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void requireFewPairedEntries() {
        assertThatThrownBy(() -> new SmallMap<>(new String[9], new String[9]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SmallMap<>(new String[1], new String[2]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 100)
    void mappingsOfAnySizeKeepOrderAndLocationsAndReportDuplicates(@ForAll @IntRange(min = 1, max = 40) int count)
            throws ProblemsException {
        StringBuilder yaml = new StringBuilder();
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String key = "k" + (i * 37 % 41);
            yaml.append(key).append(": ").append(i).append('\n');
            lines.put(key, i + 1);
        }
        SourceNode.Mapping mapping = (SourceNode.Mapping)
                SourceReader.readYaml("f", yaml.toString().getBytes(UTF_8)).getFirst();
        assertThat(new ArrayList<>(mapping.fields().keySet())).isEqualTo(new ArrayList<>(lines.keySet()));
        lines.forEach((key, line) -> {
            assertThat(mapping.keys().get(key)).isEqualTo(new Location("f", line));
            assertThat(mapping.get(key)).isNotNull();
        });
        String twice = yaml + lines.keySet().iterator().next() + ": again\n";
        assertThatThrownBy(() -> SourceReader.readYaml("f", twice.getBytes(UTF_8)))
                .isInstanceOf(ProblemsException.class)
                .hasMessageContaining("f:" + (count + 1) + ": duplicate key \"k0\", first in line 1");
    }
}
