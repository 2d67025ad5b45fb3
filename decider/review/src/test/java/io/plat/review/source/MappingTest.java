package io.plat.review.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Mappings are read in the same way for any number of keys. */
class MappingTest {
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
        for (SourceNode.Mapping.Field field : mapping.entries()) {
            assertThat(field.where()).isEqualTo(new Location("f", lines.getOrDefault(field.key(), 0)));
            assertThat(mapping.get(field.key())).isSameAs(field.value());
        }
        assertThat(mapping.get("k")).isNull();
        String twice = yaml + lines.keySet().iterator().next() + ": again\n";
        assertThatThrownBy(() -> SourceReader.readYaml("f", twice.getBytes(UTF_8)))
                .isInstanceOf(ProblemsException.class)
                .hasMessageContaining("f:" + (count + 1) + ": duplicate key \"k0\", first in line 1");
    }
}
