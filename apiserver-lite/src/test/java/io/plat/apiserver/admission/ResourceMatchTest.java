package io.plat.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.StatusException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceMatchTest {
    @ParameterizedTest
    @ValueSource(strings = {"namespaceSelector", "objectSelector"})
    void invalidStoredSelectorNamesItsObject(String field) {
        ObjectNode match = JsonNodeFactory.instance.objectNode();
        match.withObject("/" + field + "/matchLabels").put("a b", "c");
        StatusException failure =
                catchThrowableOfType(StatusException.class, () -> new ResourceMatch(match, "Policy 'p'"));
        assertThat(failure.status().code()).isEqualTo(500);
        assertThat(failure.status().message()).startsWith("Policy 'p' has a selector that cannot be read: ");
    }
}
