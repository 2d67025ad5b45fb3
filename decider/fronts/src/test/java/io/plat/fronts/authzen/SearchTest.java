package io.plat.fronts.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.explain.RuleListing;
import io.plat.review.status.StatusException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SearchTest {
    private final List<String> calls = new ArrayList<>();

    private interface Enumerated extends Authorizer, Explainer {}

    /** A policy with three namespaces that records its requests. */
    private PolicySet policy() {
        Enumerated authorizer = (Enumerated) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Enumerated.class}, (self, method, given) -> {
                    calls.add(method.getName());
                    return switch (method.getName()) {
                        case "names" -> new PolicyNames(new TreeSet<>(), new TreeSet<>(List.of("a", "b", "c")));
                        case "rules" -> RuleListing.NOTHING;
                        default -> null;
                    };
                });
        return new PolicySet("1", authorizer, new PolicySet.Size(0, 0, 0), Instant.EPOCH, List.of());
    }

    private Search resources(Duration time) throws StatusException {
        EvaluationRequest evaluation = new EvaluationRequest(
                new Entity("user", "alice", true, Map.of()),
                new Entity("", "get", true, Map.of()),
                new Entity("pods", "", true, Map.of()),
                Map.of());
        return Search.of(Part.RESOURCE, evaluation, Mapping.DEFAULT, policy(), time);
    }

    @Test
    void eachNamespaceIsSearched() throws StatusException {
        resources(Duration.ofHours(1));
        assertThat(calls).filteredOn("rules"::equals).hasSize(4);
        assertThat(calls).filteredOn("decideFromMemory"::equals).hasSize(4);
    }

    @Test
    void theSearchEndsWithItsTimeLimit() throws StatusException {
        Search found = resources(Duration.ofSeconds(-1));
        assertThat(calls).filteredOn("rules"::equals).hasSize(1);
        assertThat(calls).doesNotContain("decideFromMemory");
        assertThat(found.gaps).containsExactly("the search took more than -1 s");
    }
}
