package io.plat.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.Decision;
import io.plat.review.status.StatusException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The total memory of policies is limited, in addition to that of each one. */
class ValidatingPoliciesTest {
    private static final ResourceCatalog CATALOG = ResourceCatalog.builtIn();
    private static final ResourceType TYPE = CATALOG.find(
                    "admissionregistration.k8s.io", "v1", "validatingadmissionpolicies")
            .orElseThrow();
    private static final int LARGE = 1_000_000;

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private final ValidatingPolicies policies =
            new ValidatingPolicies(CATALOG, DynamicTypes.NONE, attributes -> new Decision.NoOpinion("no rule"));

    @AfterEach
    void close() throws StorageException {
        store.close();
    }

    private static ObjectNode policy(String name, int size) {
        ObjectNode policy = JsonNodeFactory.instance.objectNode();
        policy.putObject("metadata").put("name", name).put("generation", 1);
        policy.putObject("spec")
                .putArray("validations")
                .addObject()
                .put("expression", "true")
                .put("message", "x".repeat(size));
        return policy;
    }

    private void add(ObjectNode policy) throws StatusException, StorageException {
        policies.report(TYPE, policy, store.latest());
        String name = policy.path("metadata").path("name").asText();
        store.commit(Transaction.create(
                new Key(TYPE.storage(), "", name), StoredForm.encodeWithinBounds(policy.deepCopy())));
    }

    @Test
    void policiesBeyondTheTotalSizeAreRefused() throws StatusException, StorageException {
        add(policy("first", LARGE));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        add(policy("p" + i, LARGE));
                    }
                })
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("the policies of this server would be larger than");
        assertThatCode(() -> policies.report(TYPE, policy("first", LARGE - 1), store.latest()))
                .as("a policy that does not grow")
                .doesNotThrowAnyException();
    }
}
