package io.plat.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.expression.PolicyProgram;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.cel.CostBudget;
import io.plat.review.status.StatusException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The total cost of the policies of a request is limited, in addition to that of each one. */
class RequestBudgetTest {
    private static PolicyProgram policy(String expression, String failurePolicy) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("failurePolicy", failurePolicy);
        spec.putArray("validations").addObject().put("expression", expression);
        return new PolicyProgram(spec);
    }

    private static List<String> failures(String failurePolicy, CostBudget budget) {
        return policy("1 + 1 == 2", failurePolicy).evaluate(Map.of(), budget).failures().stream()
                .map(PolicyProgram.Failure::message)
                .toList();
    }

    @Test
    void exhaustedBudgetDeniesRegardlessOfTheFailurePolicy() {
        CostBudget request = CostBudget.ofRequest(RequestMemory.current());
        for (int i = 0; i < 20; i++) {
            assertThat(failures("Fail", request)).as("policy %s", i).isEmpty();
            request.part(CostBudget.OBJECT).spend(CostBudget.OBJECT);
        }
        for (String failurePolicy : List.of("Fail", "Ignore")) {
            assertThat(failures(failurePolicy, request))
                    .containsExactly("expression '1 + 1 == 2' resulted in error: " + CostBudget.REQUEST_EXCEEDED);
        }
    }

    /** Memory that one expression takes is not available to other policies. */
    @Test
    void exhaustedMemoryDeniesRegardlessOfTheFailurePolicy() {
        CostBudget request = CostBudget.ofRequest(CostBudget.memory(0));
        PolicyProgram.Outcome outcome = policy("('%s'.format([object.a]) + object.a).size() < 0", "Ignore")
                .evaluate(Map.of("object", Map.of("a", "a".repeat(200_000))), request);
        assertThat(outcome.failures()).hasSize(1);
    }

    @Test
    void failureOfOneExpressionIsIgnored() {
        assertThat(policy("object.absent == 1", "Ignore")
                        .evaluate(Map.of("object", Map.of()), CostBudget.ofRequest(RequestMemory.current()))
                        .failures())
                .isEmpty();
    }

    @Test
    void longEvaluationWaitsForAComputeSlot() throws StatusException {
        String list = IntStream.range(0, 60).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
        PolicyProgram slow = policy("L.all(x, L.all(y, L.all(z, x+y+z >= 0)))".replace("L", list), "Fail");
        assertThat(RequestMemory.tryOnSharedThread(
                        () -> slow.evaluate(Map.of(), CostBudget.ofRequest(RequestMemory.current()))))
                .isNull();
    }

    /** A call is not interrupted, and values of a few characters may have long texts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.a.findAll('a.*b|a').size() > 0",
                "object.a.matches('(a?){1000}b')",
                "object.a.find('(a?){1000}b') == ''",
                "object.a.indexOf(object.half) >= 0",
                "object.a.lastIndexOf(object.half) >= 0",
                "'%s'.format([object.numbers]).size() > 0",
                "NESTED.size() > 0"
            })
    void longCallsAreEnded(String expression) {
        String nested = "[1]" + ".map(v,[optional.of(v),optional.of(v),optional.of(v),optional.of(v)])".repeat(12);
        assertThat(messages(expression.replace("NESTED", nested)))
                .singleElement()
                .asString()
                .endsWith(CostBudget.EXPRESSION_EXCEEDED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!isIP(object.colons)",
                "!isCIDR(object.colons)",
                "!isQuantity(object.a)",
                "object.a.find('b|c') == ''",
                "object.a.matches('a+')",
                "object.a.indexOf('b') < 0"
            })
    void longTextsAreRead(String expression) {
        assertThat(messages(expression)).isEmpty();
    }

    private static List<String> messages(String expression) {
        Map<String, Object> object = Map.of(
                "a", "a".repeat(50_000),
                "half", "a".repeat(25_000) + "b",
                "colons", ":".repeat(50_000),
                "numbers", Collections.nCopies(400_000, 1e308));
        CostBudget request = CostBudget.ofRequest(CostBudget.memory(1L << 40));
        return policy(expression, "Fail").evaluate(Map.of("object", object), request).failures().stream()
                .map(PolicyProgram.Failure::message)
                .toList();
    }
}
