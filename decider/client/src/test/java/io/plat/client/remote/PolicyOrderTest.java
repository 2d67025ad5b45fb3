package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyOrderTest {
    /** Steps such as {@code A:p} (decider A reports policy p) and {@code -A} (A was removed), and the policies that are outdated then. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "one policy adopted,                       A:p,                                     ''",
        "another one adopted,                      A:p A:q,                                 p",
        "the same again,                           A:p A:p A:p,                             ''",
        "another one lags behind,                  B:p A:p A:q,                             p",
        "and follows,                              B:p A:p A:q B:q,                         p",
        "and is ahead,                             B:p A:p A:q B:q B:r,                     p q",
        "a new one with the old policy,            A:p A:q B:p,                             p",
        "a new one with the new policy,            A:p A:q B:q,                             p",
        "a new one with an unknown policy,         A:p A:q B:x,                             p",
        "different policies are not compared,      A:p B:x A:q B:y,                         p x",
        "rolled back,                              A:p A:q A:p,                             q",
        "rolled back; the other never changed,     B:p A:p A:q A:p,                         q",
        "rolled back; the other one lags,          B:p A:p A:q A:p B:q,                     q",
        "rolled back; the other one follows,       B:p A:p A:q A:p B:q B:p,                 q",
        "back and forth; the other one lags,       B:p A:p A:q A:p A:q B:q B:p,             p",
        "back and forth; it follows,               B:p A:p A:q A:p A:q B:q B:p B:q,         p",
        "rolled back by both at a restart,         A:p B:p A:q B:q A:p B:p,                 q",
        "only the one ahead rolls back,            A:p B:p A:q B:q B:p,                     q",
        "a new one after a rollback,               A:p A:q A:p C:p,                         q",
        "and all change,                           A:p A:q A:p C:p C:r A:r,                 p q",
        "the newest fails and is replaced,         A:p B:p A:q C:q -A,                      p",
        "no other one has the newest,              A:p B:p A:q -A,                          ''",
        "all were replaced by older ones,          A:p A:q B:p C:p -A,                      ''",
        "all were removed,                         A:p A:q -A,                              ''",
        "and the history too,                      A:p A:q -A B:p,                          ''",
    })
    void outdatedPolicies(String name, String steps, String outdated) {
        PolicyOrder order = new PolicyOrder();
        TreeSet<String> policies = new TreeSet<>();
        for (String step : steps.split(" ", -1)) {
            if (step.startsWith("-")) {
                order.forget(step.substring(1));
            } else {
                String[] parts = step.split(":", 2);
                policies.add(parts[1]);
                order.adopted(parts[0], parts[1]);
            }
        }
        List<String> expected = outdated.isEmpty() ? List.of() : Arrays.asList(outdated.split(" ", -1));
        assertThat(policies.stream().filter(order::isOutdated)).as(name).containsExactlyElementsOf(expected);
    }

    /**
     * Policies of one source, all different, that three deciders load in order, each at its own pace: a policy older than the
     * newest reported one is outdated, the newest is not.
     */
    @Property
    void withoutRestoredPoliciesOnlyTheNewestIsCurrent(
            @ForAll @Size(max = 120) List<@IntRange(max = 3) Integer> steps) {
        PolicyOrder order = new PolicyOrder();
        int[] at = new int[3];
        int source = 0;
        for (int decider = 0; decider < at.length; decider++) {
            order.adopted(decider, "p0");
        }
        for (int step : steps) {
            if (step == 3) {
                source++;
            } else if (at[step] < source) {
                at[step]++;
                order.adopted(step, "p" + at[step]);
            }
            int newest = Arrays.stream(at).max().orElseThrow();
            for (int policy = 0; policy <= newest; policy++) {
                assertThat(order.isOutdated("p" + policy)).as("p" + policy).isEqualTo(policy < newest);
            }
        }
    }

    /** The same with a few policies that recur: only deciders that have reached the source's state are trusted. */
    @Property
    void withRestoredPoliciesTheSourcesPolicyIsCurrent(
            @ForAll @Size(max = 120) List<@IntRange(max = 5) Integer> steps) {
        PolicyOrder order = new PolicyOrder();
        List<Integer> source = new ArrayList<>(List.of(0));
        int[] at = new int[2];
        for (int decider = 0; decider < at.length; decider++) {
            order.adopted(decider, "p0");
        }
        for (int step : steps) {
            if (step < 4) {
                if (source.getLast() != step) {
                    source.add(step);
                }
            } else if (at[step - 4] < source.size() - 1) {
                at[step - 4]++;
                order.adopted(step - 4, "p" + source.get(at[step - 4]));
            }
            int newest = source.get(Math.max(at[0], at[1]));
            assertThat(order.isOutdated("p" + newest)).isFalse();
            for (int decider = 0; decider < at.length; decider++) {
                int decides = source.get(at[decider]);
                assertThat(order.isOutdated("p" + decides)).isEqualTo(decides != newest);
            }
        }
    }

    @Test
    void memoryIsBounded() {
        PolicyOrder order = new PolicyOrder();
        for (int i = 0; i < 5 * PolicyOrder.MAX; i++) {
            order.adopted("A", "p" + i);
        }
        assertThat(order.isOutdated("p" + (5 * PolicyOrder.MAX - 1))).isFalse();
        assertThat(order.isOutdated("p" + (5 * PolicyOrder.MAX - 2))).isTrue();
        long known = 0;
        for (int i = 0; i < 5 * PolicyOrder.MAX; i++) {
            known += order.isOutdated("p" + i) ? 1 : 0;
        }
        assertThat(known).isBetween((long) PolicyOrder.MAX - 1, 2L * PolicyOrder.MAX);
    }

    @ParameterizedTest
    @CsvSource({
        "0123456789ab-1, 0123456789ab",
        "0123456789ab-987, 0123456789ab",
        "0123456789ab-0a1b2c3d-7, 0123456789ab-0a1b2c3d-7",
        "0123456789ab-, 0123456789ab-",
        "0123456789ab, 0123456789ab",
        "0123456789AB-1, 0123456789AB-1",
        "0123456789abc-1, 0123456789abc-1",
        "0123456789a-11, 0123456789a-11",
        "v7, v7",
    })
    void theDigestOfANameIdentifiesThePolicy(String name, String policy) {
        assertThat(RevisionName.policy(name)).isEqualTo(policy);
    }
}
