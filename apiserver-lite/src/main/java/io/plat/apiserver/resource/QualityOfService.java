package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** What a pod may count on, by what its containers ask for: {@code Guaranteed}, {@code Burstable} or {@code BestEffort}. */
final class QualityOfService {
    private static final List<String> COUNTED = List.of("cpu", "memory");
    private static final String SUFFIXES = "kMGTPE";

    private QualityOfService() {}

    /**
     * The class.
     *
     * @param spec of a pod in shape
     */
    static String of(JsonNode spec) {
        boolean nothing = true;
        boolean guaranteed = true;
        for (String list : PodRules.CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                for (String resource : COUNTED) {
                    BigDecimal limit = amount(container.at("/resources/limits/" + resource));
                    JsonNode asked = container.at("/resources/requests/" + resource);
                    BigDecimal request = asked.isMissingNode() ? limit : amount(asked);
                    nothing &= limit.signum() == 0 && request.signum() == 0;
                    guaranteed &= limit.signum() > 0 && request.compareTo(limit) == 0;
                }
            }
        }
        return nothing ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    /** The number that a quantity stands for; 0 for none. */
    static BigDecimal amount(JsonNode quantity) {
        String text = quantity.asText("");
        try {
            if (text.isEmpty()) {
                return BigDecimal.ZERO;
            }
            boolean binary = text.endsWith("i");
            String number = binary ? text.substring(0, text.length() - 1) : text;
            char suffix = number.charAt(number.length() - 1);
            int power = SUFFIXES.indexOf(binary ? (suffix == 'K' ? 'k' : suffix) : suffix) + 1;
            if (power > 0) {
                return new BigDecimal(number.substring(0, number.length() - 1))
                        .multiply(BigDecimal.valueOf(binary ? 1024 : 1000).pow(power));
            }
            int down = "mun".indexOf(suffix) + 1;
            return down == 0
                    ? new BigDecimal(number.toUpperCase(Locale.ROOT))
                    : new BigDecimal(number.substring(0, number.length() - 1)).movePointLeft(3 * down);
        } catch (NumberFormatException e) {
            // The check by the schema says that it is no quantity.
            return BigDecimal.ZERO;
        }
    }
}
