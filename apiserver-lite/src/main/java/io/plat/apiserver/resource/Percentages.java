package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/** How many of something, as a number or as a share of all: {@code 2} or {@code 25%}. */
final class Percentages {
    private static final Pattern FORM = Pattern.compile("[0-9]+%");
    private static final int LONGEST = 4;

    private Percentages() {}

    /**
     * Checks one; what is not there is none.
     *
     * @param ofAll whether it is no more than all
     */
    static void check(String field, JsonNode amount, boolean ofAll, Causes causes) {
        causes.notNegative(field, amount);
        if (!amount.isTextual()) {
            return;
        }
        String text = amount.asText();
        if (!FORM.matcher(text).matches()) {
            causes.invalid(
                    field,
                    text,
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                            + " regex used for validation is '[0-9]+%')");
        } else if (ofAll && (text.length() > LONGEST || share(text) > 100)) {
            causes.invalid(field, text, "must not be greater than 100%");
        }
    }

    /** Whether it is none at all; so is what is not there. */
    static boolean isNone(JsonNode amount) {
        if (amount.isTextual() && FORM.matcher(amount.asText()).matches()) {
            return amount.asText().length() <= LONGEST && share(amount.asText()) == 0;
        }
        return !amount.isTextual() && amount.asLong() == 0;
    }

    private static int share(String text) {
        return Integer.parseInt(text.substring(0, text.length() - 1));
    }
}
