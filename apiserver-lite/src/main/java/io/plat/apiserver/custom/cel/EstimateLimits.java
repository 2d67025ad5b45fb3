package io.plat.apiserver.custom.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.custom.schema.SchemaNode;
import io.plat.apiserver.schema.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The limits of Kubernetes on the estimated costs of a schema's rules: of each one, and of all together. */
final class EstimateLimits {
    /** The number of values that no {@code maxItems} or {@code maxProperties} limits. */
    static final long UNLIMITED = -1;

    private static final long RULE = 10_000_000;
    private static final long SCHEMA = 100_000_000;

    /** A rule that costs less is no reason for a total beyond the limit. */
    private static final long CONTRIBUTES = SCHEMA / 100;

    private static final int SHOWN = 4;

    private final Findings findings;
    private final List<Cost> contributors = new ArrayList<>();
    private long total;

    EstimateLimits(Findings findings) {
        this.findings = findings;
    }

    private record Cost(FieldPath at, long cost) {}

    /** The number of values below each of so many values of a schema. */
    static long timesBelow(SchemaNode schema, long times) {
        JsonNode source = schema.source();
        String limit = switch (schema.type()) {
            case "object" -> source.has("additionalProperties") ? "maxProperties" : "";
            case "array" -> "maxItems";
            default -> "";
        };
        if (limit.isEmpty() || times == UNLIMITED) {
            return times;
        }
        return source.has(limit)
                ? Estimate.product(times, Math.max(0, source.path(limit).asLong()))
                : UNLIMITED;
    }

    /** Checks a rule that is evaluated for so many values; its message is made once. */
    void check(Rule rule, long times, FieldPath at) {
        check("estimated rule cost", Estimate.product(rule.cost(), times), at.field("rule"));
        if (rule.message() != null) {
            check("estimated messageExpression cost", rule.messageCost(), at.field("messageExpression"));
        }
    }

    private void check(String what, long cost, FieldPath at) {
        if (cost > RULE) {
            findings.forbidden(at, exceeded(what, cost, RULE));
        }
        total = Estimate.sum(total, cost);
        if (cost >= CONTRIBUTES) {
            contributors.add(new Cost(at, cost));
        }
    }

    /** Checks the total, once all rules are checked. */
    void checkTotal(FieldPath at) {
        if (total > SCHEMA) {
            contributors.sort(Comparator.comparingLong(Cost::cost).reversed());
            contributors.stream()
                    .limit(SHOWN)
                    .forEach(cost -> findings.forbidden(
                            cost.at(),
                            "contributed to estimated rule cost total exceeding cost limit for entire"
                                    + " OpenAPIv3 schema"));
            findings.forbidden(
                    at,
                    exceeded(
                            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                            total,
                            SCHEMA));
        }
    }

    private static String exceeded(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps,"
                + " and strings are declared)";
    }
}
