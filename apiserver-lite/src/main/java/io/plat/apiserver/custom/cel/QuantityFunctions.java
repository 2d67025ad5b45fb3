package io.plat.apiserver.custom.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionOverload;
import io.plat.apiserver.rules.Quantity;
import java.math.BigDecimal;

/** Quantities in rules, as existing servers have them: {@code quantity(self.memory).isGreaterThan(quantity('1Gi'))}. */
final class QuantityFunctions extends FieldLibrary {
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    /** Behind what it is made of. */
    static final QuantityFunctions INSTANCE = new QuantityFunctions();

    /** An amount; two are equal where their numbers are. */
    private record Amount(BigDecimal number) {
        Amount {
            number = number.stripTrailingZeros();
        }

        int compareTo(Amount other) {
            return number.compareTo(other.number);
        }

        boolean isWhole() {
            return number.scale() <= 0 && number.precision() - number.scale() <= 19 && inRange();
        }

        private boolean inRange() {
            return number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                    && number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0;
        }
    }

    private QuantityFunctions() {
        function("isQuantity", false, SimpleType.BOOL, SimpleType.STRING, String.class, Quantity::isQuantity);
        function("quantity", false, QUANTITY, SimpleType.STRING, String.class, QuantityFunctions::parse);
        function("sign", true, SimpleType.INT, QUANTITY, Amount.class, one ->
                (long) one.number().signum());
        function("isInteger", true, SimpleType.BOOL, QUANTITY, Amount.class, Amount::isWhole);
        function("asInteger", true, SimpleType.INT, QUANTITY, Amount.class, QuantityFunctions::whole);
        function(
                "asApproximateFloat",
                true,
                SimpleType.DOUBLE,
                QUANTITY,
                Amount.class,
                one -> one.number().doubleValue());
        with("isGreaterThan", SimpleType.BOOL, (one, other) -> one.compareTo(other) > 0);
        with("isLessThan", SimpleType.BOOL, (one, other) -> one.compareTo(other) < 0);
        with("compareTo", SimpleType.INT, (one, other) -> (long) one.compareTo(other));
        with("add", QUANTITY, (one, other) -> new Amount(one.number().add(other.number())));
        with("sub", QUANTITY, (one, other) -> new Amount(one.number().subtract(other.number())));
        member(
                "add",
                QUANTITY,
                QUANTITY,
                Amount.class,
                SimpleType.INT,
                Long.class,
                (one, number) -> new Amount(one.number().add(BigDecimal.valueOf(number))));
        member(
                "sub",
                QUANTITY,
                QUANTITY,
                Amount.class,
                SimpleType.INT,
                Long.class,
                (one, number) -> new Amount(one.number().subtract(BigDecimal.valueOf(number))));
    }

    private void with(String name, CelType result, CelFunctionOverload.Binary<Amount, Amount> body) {
        member(name, result, QUANTITY, Amount.class, QUANTITY, Amount.class, body);
    }

    private static Object parse(String text) {
        if (!Quantity.isQuantity(text)) {
            throw new IllegalArgumentException("not a quantity");
        }
        return new Amount(Quantity.amount(text));
    }

    private static Object whole(Amount one) {
        if (!one.isWhole()) {
            throw new IllegalArgumentException("not a whole number that fits");
        }
        return one.number().longValueExact();
    }
}
