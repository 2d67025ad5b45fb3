package io.plat.engine.abac;

import io.plat.engine.lookup.Frozen;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of a line table: what stands under its exact values, and what stands under the wildcard.
 *
 * @param exact by value
 * @param any under {@code *}, or null where no line has it
 */
record ExactOrAny<T>(Map<String, T> exact, @Nullable T any) {
    ExactOrAny {
        exact = Frozen.copyOf(exact);
    }

    static <S, T> ExactOrAny<T> of(Map<String, S> parts, Function<? super S, ? extends T> compile) {
        Map<String, T> exact = new HashMap<>();
        parts.forEach((value, part) -> exact.put(value, compile.apply(part)));
        T any = exact.remove(AbacLine.ANY);
        return new ExactOrAny<>(exact, any);
    }
}
