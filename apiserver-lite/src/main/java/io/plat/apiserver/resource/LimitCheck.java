package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What is wrong with the bounds that objects of a namespace are held to: in the words of existing servers. */
final class LimitCheck {
    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
    private static final String ASKED = "defaultRequest";
    private static final String ASKED_WORDS = "default request value";
    private static final String RATIO = "maxLimitRequestRatio";
    private static final List<String> BOUNDS = List.of("max", "min", "default", ASKED, RATIO);

    /** Of which bounds one may not be above the other, what they are called then, under which of them it is said and whose amount is shown. */
    private record Order(String low, String lowWords, String high, String highWords, String at, String shown) {}

    private static final List<Order> ORDERS = List.of(
            new Order("min", "min value", "max", "max value", "min", "min"),
            new Order("min", "min value", ASKED, ASKED_WORDS, ASKED, ASKED),
            new Order(ASKED, ASKED_WORDS, "max", "max value", ASKED, ASKED),
            new Order(ASKED, ASKED_WORDS, "default", "default limit value", ASKED, ASKED),
            new Order("min", "min value", "default", "default value", "default", "min"),
            new Order("default", "default value", "max", "max value", "default", "max"));

    private final String field;
    private final JsonNode limit;
    private final Causes causes;

    private LimitCheck(String field, JsonNode limit, Causes causes) {
        this.field = field;
        this.limit = limit;
        this.causes = causes;
    }

    /** Checks all of an object. */
    static void check(JsonNode spec, Causes causes) {
        Set<String> types = new HashSet<>();
        for (int i = 0; i < spec.path("limits").size(); i++) {
            JsonNode limit = spec.path("limits").path(i);
            LimitCheck check = new LimitCheck("spec.limits[" + i + "]", limit, causes);
            String type = Json.text(limit, "type");
            check.type(type);
            if (!types.add(type)) {
                causes.duplicate(check.field + ".type", type);
            }
            check.bounds(type);
        }
    }

    private void type(String type) {
        if (type.isEmpty()) {
            return;
        }
        causes.qualifiedName(field + ".type", type);
        if (type.indexOf('/') < 0 && !TYPES.contains(type)) {
            causes.invalid(field + ".type", type, "must be a standard limit type or fully qualified");
        }
    }

    private void bounds(String type) {
        Set<String> names = new TreeSet<>();
        for (String bound : BOUNDS) {
            if (type.equals("Pod") && isDefault(bound)) {
                if (!limit.path(bound).isEmpty()) {
                    causes.forbidden(field + "." + bound, "may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            limit.path(bound).fieldNames().forEachRemaining(name -> {
                names.add(name);
                ResourceNames.checkName(
                        field + "." + bound + "[" + name + "]",
                        name,
                        type.equals("Pod") || type.equals("Container"),
                        causes);
            });
        }
        if (type.equals("PersistentVolumeClaim")
                && !limit.path("min").has("storage")
                && !limit.path("max").has("storage")) {
            causes.required(
                    field + ".limits", "either minimum or maximum storage value is required, but neither was provided");
        }
        names.forEach(name -> compare(name, type.equals("Pod")));
    }

    private void compare(String name, boolean pod) {
        for (Order order : ORDERS) {
            JsonNode low = bound(order.low, name, pod);
            JsonNode high = bound(order.high, name, pod);
            if (above(low, high)) {
                causes.invalid(
                        field + "." + order.at + "[" + name + "]",
                        bound(order.shown, name, pod).asText(),
                        order.lowWords + " " + low.asText() + " is greater than " + order.highWords + " "
                                + high.asText());
            }
        }
        ratio(name, bound("min", name, pod), bound("max", name, pod));
    }

    /** What a bound says of a resource; nothing where it may not be. */
    private JsonNode bound(String bound, String name, boolean pod) {
        return pod && isDefault(bound)
                ? MissingNode.getInstance()
                : limit.path(bound).path(name);
    }

    private static boolean isDefault(String bound) {
        return bound.startsWith("default");
    }

    private static boolean above(JsonNode one, JsonNode other) {
        return !one.isMissingNode()
                && !other.isMissingNode()
                && QualityOfService.amount(one).compareTo(QualityOfService.amount(other)) > 0;
    }

    private void ratio(String name, JsonNode least, JsonNode most) {
        JsonNode ratio = limit.path(RATIO).path(name);
        if (ratio.isMissingNode()) {
            return;
        }
        String at = field + "." + RATIO + "[" + name + "]";
        BigDecimal number = QualityOfService.amount(ratio);
        if (number.compareTo(BigDecimal.ONE) < 0) {
            causes.invalid(at, ratio.asText(), "ratio " + ratio.asText() + " is less than 1");
        }
        if (!least.isMissingNode()
                && !most.isMissingNode()
                && QualityOfService.amount(least).signum() > 0) {
            double bound = QualityOfService.amount(most).doubleValue()
                    / QualityOfService.amount(least).doubleValue();
            if (number.doubleValue() > bound) {
                causes.invalid(
                        at,
                        ratio.asText(),
                        String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio.asText(), bound));
            }
        }
    }
}
