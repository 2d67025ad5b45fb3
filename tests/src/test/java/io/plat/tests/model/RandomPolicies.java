package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.Attributes;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.sessions.JqwikSession;

/** Random policies and matching requests for a seed, to be used with several servers. */
public final class RandomPolicies {
    private static final int VARIETY = 1000;

    private final Random random;

    /** Those of a seed. */
    public RandomPolicies(long seed) {
        this.random = new Random(seed);
    }

    /** Returns the text of a policy file. */
    public String lines() {
        return text(AbacPolicies.policies());
    }

    /** Returns the text of role objects, each as a document. */
    public String manifests() {
        return next(RbacPolicies.policies()).stream()
                .map(object -> "---\n" + object)
                .collect(Collectors.joining("\n"));
    }

    /** Returns requests for everything in the policies. */
    public List<Attributes> requests(int count) {
        return next(Universe.requests().list().ofSize(count));
    }

    private String text(Arbitrary<List<JsonNode>> policies) {
        return next(policies).stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
    }

    private <T> T next(Arbitrary<T> arbitrary) {
        AtomicReference<T> created = new AtomicReference<>();
        JqwikSession.run(
                () -> created.set(arbitrary.generator(VARIETY).next(random).value()));
        return Objects.requireNonNull(created.get());
    }
}
