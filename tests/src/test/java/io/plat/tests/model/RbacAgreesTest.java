package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.engine.Decision;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.Attributes;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The compiled role objects agree with the model, whether compiled at once or incrementally. */
final class RbacAgreesTest {
    private static final String SUPER_USER = "joe";

    @Property(tries = Universe.POLICIES)
    void indexAgreesWithTheModel(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests)
            throws ProblemsException {
        RbacModel model = new RbacModel(policy, SUPER_USER);
        RbacAuthorizer authorizer = RbacAuthorizer.of(RbacIndex.of(read(policy)), SUPER_USER);
        for (Attributes request : requests) {
            assertThat(authorizer.authorize(request) instanceof Decision.Allow)
                    .as(request::toString)
                    .isEqualTo(model.allows(request));
        }
    }

    @Property(tries = Universe.POLICIES)
    void namedBindingGrantsTheRequest(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests)
            throws ProblemsException {
        RbacModel model = new RbacModel(policy, "");
        RbacAuthorizer authorizer = RbacAuthorizer.of(RbacIndex.of(read(policy)), "");
        for (Attributes request : requests) {
            if (authorizer.authorize(request) instanceof Decision.Allow(RbacGrant grant)) {
                ObjectKey key = grant.binding().key();
                JsonNode binding = policy.stream()
                        .filter(object -> object.path("kind")
                                        .asText()
                                        .equals(key.kind().kind())
                                && object.at("/metadata/name").asText().equals(key.name())
                                && object.at("/metadata/namespace").asText().equals(key.namespace()))
                        .findFirst()
                        .orElseThrow();
                assertThat(model.grants(binding, request)).as(grant::reason).isTrue();
            }
        }
    }

    @Property(tries = Universe.POLICIES)
    void incrementalIndexEqualsARebuiltOne(
            @ForAll("policies") List<JsonNode> first,
            @ForAll("policies") List<JsonNode> second,
            @ForAll("requests") List<Attributes> requests,
            @ForAll Random order)
            throws ProblemsException {
        List<RbacObject> target = objects(read(second));
        List<Map.Entry<ObjectKey, @Nullable RbacObject>> changes = changes(objects(read(first)), target);
        Collections.shuffle(changes, order);
        RbacIndex index = RbacIndex.of(read(first));
        for (Map.Entry<ObjectKey, @Nullable RbacObject> change : changes) {
            index = index.with(Collections.singletonMap(change.getKey(), change.getValue()));
        }
        RbacAuthorizer changed = RbacAuthorizer.of(index, "");
        RbacAuthorizer whole = RbacAuthorizer.of(RbacIndex.of(read(second)), "");
        for (Attributes request : requests) {
            assertThat(changed.authorize(request) instanceof Decision.Allow)
                    .as(request::toString)
                    .isEqualTo(whole.authorize(request) instanceof Decision.Allow);
        }
    }

    @Provide
    Arbitrary<List<JsonNode>> policies() {
        return RbacPolicies.policies();
    }

    @Provide
    Arbitrary<List<Attributes>> requests() {
        return Universe.requests().list().ofSize(Universe.REQUESTS);
    }

    private static List<Map.Entry<ObjectKey, @Nullable RbacObject>> changes(
            List<RbacObject> from, List<RbacObject> to) {
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
        from.forEach(object -> changes.put(object.key(), null));
        to.forEach(object -> changes.put(object.key(), object));
        return new ArrayList<>(changes.entrySet());
    }

    private static List<RbacObject> objects(RbacPolicy policy) {
        List<RbacObject> objects = new ArrayList<>(policy.roles());
        objects.addAll(policy.bindings());
        return objects;
    }

    private static RbacPolicy read(List<JsonNode> policy) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("policy.json", policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
        return reader.finish().policy();
    }
}
