package io.plat.apiserver.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The expressions of one policy of admission. Blank ones are not looked at: that they have to be there is said elsewhere. */
final class PolicyExpressions {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final int LONGEST_ANNOTATION = 5 * 1024;

    private final JsonNode spec;
    private final boolean params;
    private final Findings findings;
    private final Budget budget = new Budget();

    /** The variables so far, once one has been compiled. */
    private final Map<String, CelType> variables = new HashMap<>();

    /** What was there before, and means the same now. */
    private final Set<String> known = new HashSet<>();

    PolicyExpressions(JsonNode policy, @Nullable JsonNode before, Findings findings) {
        this.spec = policy.path("spec");
        this.params = spec.has("paramKind");
        this.findings = findings;
        JsonNode old = before == null ? null : before.path("spec");
        if (old != null && old.path("variables").equals(spec.path("variables")) && old.has("paramKind") == params) {
            collect(old, "matchConditions", "expression");
            collect(old, "validations", "expression");
            collect(old, "validations", "messageExpression");
            collect(old, "auditAnnotations", "valueExpression");
            for (JsonNode mutation : old.path("mutations")) {
                for (String kind : List.of("applyConfiguration", "jsonPatch")) {
                    known.add(key(kind, "expression", mutation.path(kind)));
                }
            }
        }
    }

    private void collect(JsonNode old, String list, String field) {
        old.path(list).forEach(one -> known.add(key(list, field, one)));
    }

    private static String key(String list, String field, JsonNode of) {
        return list + "." + field + "\n" + of.path(field).asText();
    }

    /** Checks all that there may be in a policy of either kind. */
    void check() {
        conditions(SPEC.field("matchConditions"), spec.path("matchConditions"));
        variables();
        Scope scope = new Scope(params, true, false);
        FieldPath at = SPEC.field("validations");
        JsonNode validations = spec.path("validations");
        for (int i = 0; i < validations.size(); i++) {
            JsonNode validation = validations.path(i);
            field(at.at(i), validation, "validations", "expression", scope, SimpleType.BOOL);
            Scope ofMessage = new Scope(params, false, false);
            field(at.at(i), validation, "validations", "messageExpression", ofMessage, SimpleType.STRING);
        }
        annotations(scope);
        mutations();
    }

    private void conditions(FieldPath at, JsonNode conditions) {
        Scope scope = new Scope(params, true, false);
        for (int i = 0; i < conditions.size(); i++) {
            condition(at.at(i), conditions.path(i), scope, known, budget, findings);
        }
    }

    /** Checks a condition on a request, which names no variables. */
    static void condition(
            FieldPath at, JsonNode condition, Scope scope, Set<String> known, Budget budget, Findings findings) {
        String expression = condition.path("expression").asText("").strip();
        if (!expression.isEmpty() && !known.contains(key("matchConditions", "expression", condition))) {
            Compiled compiled = budget.spend(expression, scope::compile).wanting(SimpleType.BOOL);
            tell(compiled, at.field("expression"), expression, findings);
        }
    }

    private void variables() {
        JsonNode list = spec.path("variables");
        Scope scope = new Scope(params, true, false);
        for (int i = 0; i < list.size(); i++) {
            String expression = list.path(i).path("expression").asText("");
            String name = list.path(i).path("name").asText("");
            Compiled compiled = expression.isBlank() ? Compiled.unusable("") : compile(scope, expression);
            tell(compiled, SPEC.field("variables").at(i).field("expression"), expression, findings);
            if (!name.isEmpty()) {
                variables.put(name, compiled.type());
            }
        }
    }

    private void annotations(Scope scope) {
        JsonNode annotations = spec.path("auditAnnotations");
        for (int i = 0; i < annotations.size(); i++) {
            FieldPath at = SPEC.field("auditAnnotations").at(i);
            String expression =
                    annotations.path(i).path("valueExpression").asText("").strip();
            if (expression.getBytes(StandardCharsets.UTF_8).length > LONGEST_ANNOTATION) {
                findings.required(
                        at.field("valueExpression"), "must not exceed " + LONGEST_ANNOTATION + " bytes in length");
            } else {
                CelType[] wanted = {SimpleType.STRING, SimpleType.NULL_TYPE};
                field(at, annotations.path(i), "auditAnnotations", "valueExpression", scope, wanted);
            }
        }
    }

    private void mutations() {
        JsonNode mutations = spec.path("mutations");
        Scope scope = new Scope(params, true, true);
        for (int i = 0; i < mutations.size(); i++) {
            JsonNode mutation = mutations.path(i);
            FieldPath at = SPEC.field("mutations").at(i);
            switch (mutation.path("patchType").asText("")) {
                case "ApplyConfiguration" ->
                    patch(at.field("applyConfiguration"), mutation, "applyConfiguration", scope, Patches.APPLIED);
                case "JSONPatch" -> patch(at.field("jsonPatch"), mutation, "jsonPatch", scope, Patches.STEPS);
                default -> {}
            }
        }
    }

    private void patch(FieldPath at, JsonNode mutation, String kind, Scope scope, CelType wanted) {
        JsonNode source = mutation.path(kind);
        String expression = source.path("expression").asText("").strip();
        if (!expression.isEmpty() && !known.contains(key(kind, "expression", source))) {
            tell(compile(scope, expression).wanting(wanted), at.field("expression"), expression, findings);
        }
    }

    private void field(FieldPath at, JsonNode from, String list, String field, Scope scope, CelType... wanted) {
        String expression = from.path(field).asText("");
        if (!expression.isBlank() && !known.contains(key(list, field, from))) {
            tell(compile(scope, expression).wanting(wanted), at.field(field), expression, findings);
        }
    }

    private Compiled compile(Scope scope, String expression) {
        return spec.path("variables").isEmpty()
                ? budget.spend(expression, scope::compile)
                : budget.spend(expression, one -> scope.compile(one, variables));
    }

    private static void tell(Compiled compiled, FieldPath at, String expression, Findings findings) {
        if (!compiled.problem().isEmpty()) {
            findings.invalid(at, FieldWords.quoted(FieldWords.clipped(expression)), compiled.problem());
        }
    }
}
