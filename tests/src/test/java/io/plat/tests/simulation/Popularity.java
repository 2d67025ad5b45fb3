package io.plat.tests.simulation;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random choice of items by Zipf's law: the n-th as often as 1/n to the power of the skew. Immutable. */
public final class Popularity {
    private final double[] upTo;

    /**
     * A law.
     *
     * @param count of things, from 0
     * @param skew 0 for all alike
     */
    public Popularity(int count, double skew) {
        upTo = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1, -skew);
            upTo[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            upTo[i] /= sum;
        }
    }

    /** The part of all that asks for this thing. */
    public double share(int thing) {
        return thing == 0 ? upTo[0] : upTo[thing] - upTo[thing - 1];
    }

    /** The next thing. */
    public int next(RandomGenerator random) {
        int found = Arrays.binarySearch(upTo, random.nextDouble());
        return Math.min(found < 0 ? -found - 1 : found, upTo.length - 1);
    }
}
