package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The expressions by which devices are chosen, in one object. Each is compiled once, however often it stands there. */
final class DeviceExpressions {
    private static final int LONGEST = 10 * 1024;

    private final Findings findings;
    private final Budget budget = new Budget();
    private final Map<String, String> problems = new HashMap<>();

    DeviceExpressions(Findings findings) {
        this.findings = findings;
    }

    /** Checks what a claim asks for. */
    void claim(FieldPath at, JsonNode claim) {
        JsonNode requests = claim.path("devices").path("requests");
        for (int i = 0; i < requests.size(); i++) {
            FieldPath request = at.field("devices").field("requests").at(i);
            selectors(
                    request.field("exactly").field("selectors"),
                    requests.path(i).path("exactly").path("selectors"));
            JsonNode either = requests.path(i).path("firstAvailable");
            for (int j = 0; j < either.size(); j++) {
                selectors(
                        request.field("firstAvailable").at(j).field("selectors"),
                        either.path(j).path("selectors"));
            }
        }
    }

    /** Checks a list of them. */
    void selectors(FieldPath at, JsonNode selectors) {
        for (int i = 0; i < selectors.size(); i++) {
            String expression = selectors.path(i).path("cel").path("expression").asText("");
            FieldPath field = at.at(i).field("cel").field("expression");
            if (expression.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                findings.tooLong(field, LONGEST);
            } else if (!expression.isEmpty()) {
                String problem = problems.computeIfAbsent(
                        expression,
                        one -> budget.spend(one, Scope::ofDevice).wantingTruth().problem());
                if (!problem.isEmpty()) {
                    findings.invalid(field, FieldWords.quoted(FieldWords.clipped(expression)), problem);
                }
            }
        }
    }
}
