package io.plat.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that apply to an update of metadata alone. */
class UnchangedObjectsTest {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());

    private static JsonNode tree(String text) throws IOException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0}: {1} after {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        deployments.apps | {'metadata':{'name':'a','labels':{'x':'y'}},'spec':{}} | {'metadata':{'name':'a'},'spec':{}} | false
        deployments.apps | {'metadata':{'name':'a'},'spec':{}} | {'metadata':{'name':'a'},'spec':{'replicas':1}} | true
        deployments.apps | {'metadata':{'name':'a'}} | {'metadata':{'name':'a'},'spec':{}} | true
        deployments.apps | {'metadata':{'name':'a'},'spec':{}} | {'metadata':{'name':'a'}} | true
        secrets | {'metadata':{'name':'a','annotations':{}},'type':'kubernetes.io/service-account-token'} | \
            {'metadata':{'name':'a','annotations':{'kubernetes.io/service-account.name':'b'}},'type':'kubernetes.io/service-account-token'} | true
        """)
    void unchangedFieldsAreNotValidated(String type, String object, String before, boolean validated)
            throws IOException {
        var causes = new Causes();
        Rules.check(type, Field.of(tree(object), tree(before), causes));
        assertThat(causes.list().isEmpty()).isEqualTo(!validated);
    }
}
