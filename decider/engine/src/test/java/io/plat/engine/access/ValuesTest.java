package io.plat.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Sets of values obey the definition of each operation, value by value. */
final class ValuesTest {
    /** The last one is never listed: it represents all other values. */
    private static final List<String> UNIVERSE = List.of("", "a", "b", "c", "*", "others");

    @Property
    void operationsAgreeForEveryValue(@ForAll("some") Values one, @ForAll("some") Values other) {
        for (String value : UNIVERSE) {
            boolean in = one.contains(value);
            boolean inOther = other.contains(value);
            assertThat(one.and(other).contains(value)).isEqualTo(in && inOther);
            assertThat(one.or(other).contains(value)).isEqualTo(in || inOther);
            assertThat(one.minus(other).contains(value)).isEqualTo(in && !inOther);
            assertThat(one.complement().contains(value)).isEqualTo(!in);
        }
    }

    @Property
    void predicatesAgreeForEveryValue(@ForAll("some") Values one, @ForAll("some") Values other) {
        assertThat(one.intersects(other))
                .isEqualTo(UNIVERSE.stream().anyMatch(value -> one.contains(value) && other.contains(value)));
        assertThat(one.covers(other))
                .isEqualTo(UNIVERSE.stream().allMatch(value -> one.contains(value) || !other.contains(value)));
        assertThat(one.isEmpty()).isEqualTo(UNIVERSE.stream().noneMatch(one::contains));
        assertThat(one.isAll()).isEqualTo(UNIVERSE.stream().allMatch(one::contains));
        assertThat(one.isWide()).isEqualTo(one.contains("others"));
    }

    @Property
    void setsOfTheSameValuesAreEqual(@ForAll("some") Values one, @ForAll("some") Values other) {
        boolean same = UNIVERSE.stream().allMatch(value -> one.contains(value) == other.contains(value));
        assertThat(one.equals(other)).isEqualTo(same);
        if (same) {
            assertThat(one).hasSameHashCodeAs(other);
        }
    }

    @Provide
    Arbitrary<Values> some() {
        Arbitrary<Set<String>> listed =
                Arbitraries.of("", "a", "b", "c", "*").set().ofMaxSize(4);
        return listed.flatMap(values -> Arbitraries.of(Values.of(values), Values.allExcept(values)));
    }
}
