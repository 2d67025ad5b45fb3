package io.plat.engine.webhook;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** Picks the less busy of two that were drawn at random: nearly as even as comparing all, and no crowd at the idlest. */
final class Choice {
    private Choice() {}

    /**
     * One of several.
     *
     * @param candidates at least one
     * @param load how busy each is
     * @param random numbers from 0 up to but not 1
     */
    static <A> A of(List<A> candidates, ToDoubleFunction<A> load, DoubleSupplier random) {
        int count = candidates.size();
        if (count == 1) {
            return candidates.getFirst();
        }
        int first = draw(count, random);
        int second = draw(count - 1, random);
        A one = candidates.get(first);
        A other = candidates.get(second < first ? second : second + 1);
        return load.applyAsDouble(other) < load.applyAsDouble(one) ? other : one;
    }

    private static int draw(int count, DoubleSupplier random) {
        return Math.min(count - 1, (int) (count * random.getAsDouble()));
    }
}
