package io.plat.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import io.plat.cel.text.Quantity;
import java.math.BigDecimal;

/** Quantity functions: {@code quantity(self.memory).isGreaterThan(quantity('1Gi'))}. */
final class QuantityFunctions extends FunctionLibrary {
    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    private static final Type<Amount> AMOUNT = new Type<>(QUANTITY, Amount.class);

    /** Quantity value; equal amounts in different notations are equal. */
    private record Amount(BigDecimal number) implements Comparable<Amount> {
        Amount {
            number = number.stripTrailingZeros();
        }

        @Override
        public int compareTo(Amount other) {
            return number.compareTo(other.number);
        }

        boolean isWhole() {
            return number.scale() <= 0
                    && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                    && number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0;
        }

        Amount plus(BigDecimal other) {
            return new Amount(number.add(other));
        }
    }

    QuantityFunctions() {
        global("isQuantity", BOOL, TEXT, Quantity::isQuantity);
        global("quantity", AMOUNT, TEXT, QuantityFunctions::parse);
        member("sign", INT, AMOUNT, one -> (long) one.number.signum());
        member("isInteger", BOOL, AMOUNT, Amount::isWhole);
        member("asInteger", INT, AMOUNT, QuantityFunctions::whole);
        member("asApproximateFloat", DOUBLE, AMOUNT, one -> one.number.doubleValue());
        ordered(AMOUNT);
        member("add", AMOUNT, AMOUNT, AMOUNT, (one, other) -> one.plus(other.number));
        member("sub", AMOUNT, AMOUNT, AMOUNT, (one, other) -> one.plus(other.number.negate()));
        member("add", AMOUNT, AMOUNT, INT, (one, other) -> one.plus(BigDecimal.valueOf(other)));
        member(
                "sub",
                AMOUNT,
                AMOUNT,
                INT,
                (one, other) -> one.plus(BigDecimal.valueOf(other).negate()));
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
