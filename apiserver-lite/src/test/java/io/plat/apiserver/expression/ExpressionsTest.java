package io.plat.apiserver.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.Status;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repeated compilation of expressions and its limits; messages are in {@code field-rules.txt}. Objects are in single quotes. */
class ExpressionsTest {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String POLICIES = "validatingadmissionpolicies.admissionregistration.k8s.io";
    private static final String HOOKS = "validatingwebhookconfigurations.admissionregistration.k8s.io";

    private final Expressions expressions = new Expressions();

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> fields(String storage, JsonNode object, @Nullable JsonNode before) {
        return expressions.check(storage, object, before).stream()
                .map(Status.Cause::field)
                .toList();
    }

    /** For existing objects only problems of new or changed expressions are reported. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                             | {}                                                            |
        {'validations':[{'expression':'x'}]}           | {'validations':[{'expression':'x'}],'failurePolicy':'Ignore'} |
        {'validations':[{'expression':'x'}]}           | {'validations':[{'expression':'x'},{'expression':'y'}]}       | spec.validations[1].expression
        {'validations':[{'expression':'x'}]}           | {'validations':[{'expression':'true','messageExpression':'x'}]} | spec.validations[0].messageExpression
        {'matchConditions':[{'expression':'x'}]}       | {'matchConditions':[{'expression':'x'}],'failurePolicy':'Fail'} |
        {'matchConditions':[{'expression':'x'}]}       | {'matchConditions':[{'expression':'y'}]}                      | spec.matchConditions[0].expression
        {'auditAnnotations':[{'valueExpression':'x'}]} | {'auditAnnotations':[{'valueExpression':'x'}],'validations':[{'expression':'true'}]} |
        {'paramKind':{},'validations':[{'expression':'params == 1'}]} | {'validations':[{'expression':'params == 1'}]} | spec.validations[0].expression
        {'variables':[{'name':'a','expression':'1'}],'validations':[{'expression':'variables.a == 1'}]} | {'variables':[{'name':'b','expression':'1'}],'validations':[{'expression':'variables.a == 1'}]} | spec.validations[0].expression
        {'mutations':[{'patchType':'JSONPatch','jsonPatch':{'expression':'x'}}]} | {'mutations':[{'patchType':'JSONPatch','jsonPatch':{'expression':'x'}},{'patchType':'JSONPatch','jsonPatch':{'expression':'y'}}]} | spec.mutations[1].jsonPatch.expression
        """)
    void onlyChangedExpressionsAreCompiled(String before, String after, @Nullable String message) {
        assertThat(fields(POLICIES, json("{'spec':" + after + "}"), json("{'spec':" + before + "}")))
                .isEqualTo(message == null ? List.of() : List.of(message));
    }

    @Test
    void unchangedWebhookConditionsAreNotCompiled() {
        JsonNode before = json("{'webhooks':[{'matchConditions':[{'expression':'x'}]},{}]}");
        JsonNode after = json(
                "{'webhooks':[{'matchConditions':[{'expression':'x'}]},{'matchConditions':[{'expression':'y'}]}]}");
        assertThat(fields(HOOKS, after, before)).containsExactly("webhooks[1].matchConditions[0].expression");
    }

    @Test
    void compilationPerObjectIsBounded() {
        ObjectNode policy = MAPPER.createObjectNode();
        for (int i = 0; i < 5_000; i++) {
            policy.withObject("/spec").withArray("validations").addObject().put("expression", "1 < " + i);
        }
        List<Status.Cause> causes = expressions.check(POLICIES, policy, null);
        assertThat(causes)
                .isNotEmpty()
                .allSatisfy(cause -> assertThat(cause.message()).endsWith("too complex, exceeds cost limit"));
        assertThat(causes.getFirst().field()).matches("spec\\.validations\\[4[0-9]{2}]\\.expression");
    }

    @ParameterizedTest
    @CsvSource({"(,250", "1+,250", "[,250", "a.,250", "!,EOF"})
    void expressionDepthIsBounded(String started, String message) {
        JsonNode policy = json("{'spec':{'validations':[{'expression':'" + started.repeat(5_000) + "'}]}}");
        List<Status.Cause> causes = expressions.check(POLICIES, policy, null);
        assertThat(causes).hasSize(1);
        assertThat(causes.getFirst().message()).contains(message).hasSizeLessThan(10_000);
    }

    @Test
    void expressionLengthIsBounded() {
        JsonNode policy = json("{'spec':{'validations':[{'expression':'true" + " ".repeat(10_240) + "'}]}}");
        assertThat(expressions.check(POLICIES, policy, null))
                .singleElement()
                .satisfies(cause -> assertThat(cause.message())
                        .contains("expression code point size exceeds limit: size: 10244, limit 10240"));
    }

    @Test
    void deviceSelectorLengthIsBounded() {
        JsonNode type = json("{'spec':{'selectors':[{'cel':{'expression':'true" + " ".repeat(10_240) + "'}}]}}");
        assertThat(expressions.check("deviceclasses.resource.k8s.io", type, null))
                .singleElement()
                .satisfies(
                        cause -> assertThat(cause.message()).isEqualTo("Too long: may not be more than 10240 bytes"));
    }
}
