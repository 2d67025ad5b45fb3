package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.review.Attributes;
import io.plat.review.source.ProblemsException;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The compiled policy file agrees with the model, and names the first matching line. */
final class AbacAgreesTest {
    @Property(tries = Universe.POLICIES)
    void indexAgreesWithTheModel(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests)
            throws ProblemsException {
        AbacModel model = new AbacModel(policy);
        String file = policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
        AbacAuthorizer authorizer = new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", file)));
        for (Attributes request : requests) {
            int line = model.firstMatch(request);
            Decision decision = authorizer.authorize(request);
            assertThat(decision instanceof Decision.Allow allow ? allow.grant().source() : "not allowed")
                    .as(request::toString)
                    .isEqualTo(line < 0 ? "not allowed" : "policy:" + (line + 1));
        }
    }

    @Provide
    Arbitrary<List<Attributes>> requests() {
        return Universe.requests().list().ofSize(Universe.REQUESTS);
    }

    @Provide
    Arbitrary<List<JsonNode>> policies() {
        return AbacPolicies.policies();
    }
}
