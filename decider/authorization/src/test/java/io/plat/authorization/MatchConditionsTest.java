package io.plat.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.condition.RequestMatcher.Match;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchConditionsTest {
    private static final UserInfo JANE =
            new UserInfo("jane", "7", List.of("dev", "system:authenticated"), Map.of("scopes", List.of("a", "b")));
    private static final SelectorAttributes SELECTOR =
            new SelectorAttributes("", List.of(new Requirement("spec.nodeName", "In", List.of("n1"))));
    private static final Attributes POD = new Attributes(
            JANE,
            new ResourceAttributes(
                    "team-a", "list", "", "v1", "pods", "", "", SELECTOR, new SelectorAttributes("x", List.of())));
    private static final Attributes PATH = new Attributes(JANE, new NonResourceAttributes("/version", "get"));

    private static String match(Attributes attributes, String... expressions) {
        return switch (MatchConditions.of(List.of(expressions)).match(attributes)) {
            case Match.Included() -> "included";
            case Match.Excluded() -> "excluded";
            case Match.Failed(String reason) -> reason;
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            true                                                                   | included | included
            false                                                                  | excluded | excluded
            has(request.resourceAttributes)                                        | included | excluded
            has(request.nonResourceAttributes)                                     | excluded | included
            request.user == "jane"                                                 | included | included
            request.uid == "7"                                                     | included | included
            "dev" in request.groups                                                | included | included
            request.groups.exists(g, g.startsWith("system:"))                      | included | included
            !request.groups.exists(g, g == "system:masters")                       | included | included
            request.extra["scopes"][1] == "b"                                      | included | included
            has(request.extra.scopes) && "a" in request.extra.scopes               | included | included
            !has(request.extra.other)                                              | included | included
            has(request.resourceAttributes) && request.resourceAttributes.namespace == "team-a" | included | excluded
            has(request.resourceAttributes) && request.resourceAttributes.name == "" | included | excluded
            has(request.resourceAttributes) && request.resourceAttributes.resource in ["pods", "secrets"] && request.resourceAttributes.verb == "list" | included | excluded
            has(request.resourceAttributes) && request.resourceAttributes.fieldSelector.requirements[0].values == ["n1"] | included | excluded
            has(request.resourceAttributes) && request.resourceAttributes.labelSelector.rawSelector == "x" | included | excluded
            has(request.resourceAttributes) && request.resourceAttributes.?labelSelector.requirements.hasValue() | excluded | excluded
            request.user.find("[a-z]+") == "jane" && ip("10.0.0.1").family() == 4 | included | included
            request.groups.map(g, g.split(":")).exists(p, p.size() == 2 && p[0] == "system") | included | included
            has(request.nonResourceAttributes) && request.nonResourceAttributes.path.matches("^/ver.*") && request.nonResourceAttributes.verb == "get" | excluded | included
            """)
    void conditionsReceiveTheWholeRequest(String expression, String onPod, String onPath) {
        assertThat(MatchConditions.problem(expression)).isEmpty();
        assertThat(match(POD, expression)).isEqualTo(onPod);
        assertThat(match(PATH, expression)).isEqualTo(onPath);
    }

    @Test
    void aFalseConditionExcludesDespiteFailures() {
        String fails = "request.resourceAttributes.namespace == \"a\"";
        assertThat(match(PATH, "true", "true")).isEqualTo("included");
        assertThat(match(PATH, "true", "false")).isEqualTo("excluded");
        assertThat(match(PATH, fails, "false")).isEqualTo("excluded");
        assertThat(match(PATH, "true", fails))
                .isEqualTo(
                        "match condition \"request.resourceAttributes.namespace == \\\"a\\\"\" failed: ATTRIBUTE_NOT_FOUND");
    }

    @Test
    void theCostOfAnEvaluationIsBounded() {
        Attributes crowded = new Attributes(
                new UserInfo("j".repeat(100_000), Collections.nCopies(1000, "g")),
                new NonResourceAttributes("/version", "get"));
        assertThat(match(crowded, "!request.groups.exists(g, g == \"x\")")).isEqualTo("included");
        assertThat(match(crowded, "!request.groups.exists(g, request.user.contains(\"jane\"))"))
                .endsWith("failed: operation cancelled: actual cost limit exceeded");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            request.foo == ""                 | compilation failed: at 1:8: undefined field 'foo'
            request.resourceAttributes.x == 1 | compilation failed: at 1:27: undefined field 'x'
            request.user                      | must evaluate to bool but got string
            request.user == 1                 | compilation failed: at 1:14: found no matching overload
            object.x                          | compilation failed: at 1:1: undeclared reference to 'object'
            1 +                               | compilation failed: at 1:4:
            """)
    void invalidConditionsAreReportedInOneLine(String expression, String problem) {
        assertThat(MatchConditions.problem(expression))
                .hasValueSatisfying(line -> assertThat(line).startsWith(problem).doesNotContain("\n"));
    }

    @Test
    void anExpressionThatIsTooLongIsNotCompiled() {
        assertThat(MatchConditions.problem("true || ".repeat(2000) + "true"))
                .hasValueSatisfying(line -> assertThat(line).startsWith("compilation failed: "));
    }
}
