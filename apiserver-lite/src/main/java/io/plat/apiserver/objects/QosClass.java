package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.rules.Quantity;
import java.math.BigDecimal;
import java.util.List;

/** QoS class of a pod by its resource requests and limits: {@code Guaranteed}, {@code Burstable} or {@code BestEffort}. */
final class QosClass {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private QosClass() {}

    /** Returns the class. */
    static String of(JsonNode spec) {
        boolean nothing = true;
        boolean guaranteed = true;
        for (String list : PodRules.CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                JsonNode resources = container.path("resources");
                for (String resource : COUNTED) {
                    BigDecimal limit = Quantity.of(resources.path("limits").path(resource));
                    JsonNode asked = resources.path("requests").path(resource);
                    BigDecimal request = asked.isMissingNode() ? limit : Quantity.of(asked);
                    nothing &= limit.signum() == 0 && request.signum() == 0;
                    guaranteed &= limit.signum() > 0 && request.compareTo(limit) == 0;
                }
            }
        }
        return nothing ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }
}
