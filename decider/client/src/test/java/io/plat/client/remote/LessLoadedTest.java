package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class LessLoadedTest {
    @Test
    void picksTheLessLoadedOfTwo() {
        for (double drawn : new double[] {0, 0.3, 0.5, 0.999999999}) {
            assertThat(Deciders.lessLoaded(List.of(7, 3), load -> load, () -> drawn))
                    .isEqualTo(3);
            assertThat(Deciders.lessLoaded(List.of(3, 7), load -> load, () -> drawn))
                    .isEqualTo(3);
        }
    }

    @Property
    void neverPicksTheMostLoaded(
            @ForAll @IntRange(min = 2, max = 20) int count,
            @ForAll @DoubleRange(max = 0.99) double first,
            @ForAll @DoubleRange(max = 0.99) double second) {
        List<Integer> loads = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(loads, new Random(count));
        double[] drawn = {first, second};
        int[] next = {0};
        int chosen = Deciders.lessLoaded(loads, load -> load, () -> drawn[next[0]++]);
        assertThat(chosen).isNotEqualTo(count - 1);
    }

    @Test
    void equalCandidatesShareTheLoad() {
        Random random = new Random(7);
        int[] load = new int[4];
        Set<Integer> chosen = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            int one = Deciders.lessLoaded(List.of(0, 1, 2, 3), which -> load[which], random::nextDouble);
            load[one]++;
            chosen.add(one);
        }
        assertThat(chosen).containsExactly(0, 1, 2, 3);
        for (int each : load) {
            assertThat(each).isBetween(2450, 2550);
        }
    }
}
