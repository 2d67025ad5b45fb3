package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Compares near misses with a model's result for every grant that does not match. */
final class NearMissChecks {
    private NearMissChecks() {}

    /**
     * The reported misses are expected, at least as near as the others, and the rest is counted.
     *
     * @param name the model's name of a reported grant
     * @param expected what each non-matching grant lacks, by name
     * @param count total number of misses
     */
    static void check(
            Findings findings, Function<NamedGrant, String> name, Map<String, Set<String>> expected, int count) {
        BoundedList<NearMiss> misses = findings.nearMisses();
        assertThat(misses.items()).hasSize(Math.min(10, count));
        assertThat(misses.leftOut()).isEqualTo(count - misses.items().size());
        int farthest = 0;
        Set<String> reported = new HashSet<>();
        for (NearMiss miss : misses.items()) {
            assertThat(miss.lacks().size()).isGreaterThanOrEqualTo(farthest);
            farthest = miss.lacks().size();
            reported.add(name.apply(miss.grant()));
            assertThat(Set.copyOf(miss.lacks())).as(miss::toString).isEqualTo(expected.get(name.apply(miss.grant())));
        }
        for (Map.Entry<String, Set<String>> other : expected.entrySet()) {
            if (!reported.contains(other.getKey())) {
                assertThat(other.getValue().size()).isGreaterThanOrEqualTo(farthest);
            }
        }
    }
}
