package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.cel.text.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Validation of LimitRange objects, with the messages of kube-apiserver. */
record LimitCheck(Field limit, String type) {
    private static final String DEFAULT_REQUEST = "defaultRequest";
    private static final String DEFAULT_REQUEST_WORDS = "default request value";
    private static final String RATIO = "maxLimitRequestRatio";
    private static final List<String> BOUNDS = List.of("max", "min", "default", DEFAULT_REQUEST, RATIO);

    /** Order of two bounds: their names, their descriptions in messages, the reported field and the displayed amount. */
    private record Order(String low, String lowWords, String high, String highWords, String at, String shown) {}

    private static final List<Order> ORDERS = List.of(
            new Order("min", "min value", "max", "max value", "min", "min"),
            new Order("min", "min value", DEFAULT_REQUEST, DEFAULT_REQUEST_WORDS, DEFAULT_REQUEST, DEFAULT_REQUEST),
            new Order(DEFAULT_REQUEST, DEFAULT_REQUEST_WORDS, "max", "max value", DEFAULT_REQUEST, DEFAULT_REQUEST),
            new Order(
                    DEFAULT_REQUEST,
                    DEFAULT_REQUEST_WORDS,
                    "default",
                    "default limit value",
                    DEFAULT_REQUEST,
                    DEFAULT_REQUEST),
            new Order("min", "min value", "default", "default value", "default", "min"),
            new Order("default", "default value", "max", "max value", "default", "max"));

    static void check(Field limit) {
        new LimitCheck(limit, limit.text("type")).bounds();
    }

    private void bounds() {
        Set<String> names = new TreeSet<>();
        for (String bound : BOUNDS) {
            if (isRefused(bound)) {
                if (!limit.at(bound).isEmpty()) {
                    limit.at(bound).forbidden("may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            for (Field amount : limit.at(bound).entries()) {
                names.add(amount.path().name());
                ResourceNames.checkName(amount, type.equals("Pod") || type.equals("Container"));
            }
        }
        if (type.equals("PersistentVolumeClaim")
                && !limit.at("min").has("storage")
                && !limit.at("max").has("storage")) {
            limit.at("limits")
                    .required("either minimum or maximum storage value is required, but neither was provided");
        }
        names.forEach(this::compare);
    }

    private void compare(String name) {
        for (Order order : ORDERS) {
            JsonNode low = bound(order.low, name);
            JsonNode high = bound(order.high, name);
            if (!low.isMissingNode()
                    && !high.isMissingNode()
                    && Quantity.of(low.asText("")).compareTo(Quantity.of(high.asText(""))) > 0) {
                limit.at(order.at)
                        .key(name, bound(order.shown, name))
                        .invalid(order.lowWords + " " + low.asText() + " is greater than " + order.highWords + " "
                                + high.asText());
            }
        }
        Field ratio = limit.at(RATIO).key(name);
        if (!ratio.isMissing()) {
            ratio(ratio, bound("min", name), bound("max", name));
        }
    }

    /** Returns a bound for a resource; a missing node if the type has no such bound. */
    private JsonNode bound(String bound, String name) {
        return isRefused(bound)
                ? MissingNode.getInstance()
                : limit.value().path(bound).path(name);
    }

    private boolean isRefused(String bound) {
        return type.equals("Pod") && bound.startsWith("default");
    }

    private static void ratio(Field ratio, JsonNode min, JsonNode max) {
        BigDecimal number = Quantity.of(ratio.value().asText(""));
        if (number.compareTo(BigDecimal.ONE) < 0) {
            ratio.invalid("ratio " + ratio.text() + " is less than 1");
        }
        if (!min.isMissingNode()
                && !max.isMissingNode()
                && Quantity.of(min.asText("")).signum() > 0) {
            double bound = Quantity.of(max.asText("")).doubleValue()
                    / Quantity.of(min.asText("")).doubleValue();
            if (number.doubleValue() > bound) {
                ratio.invalid(String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio.text(), bound));
            }
        }
    }
}
