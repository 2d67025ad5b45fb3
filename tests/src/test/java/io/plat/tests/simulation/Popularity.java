package io.plat.tests.simulation;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random choice by Zipf's law: the n-th item has weight 1/n to the power of the skew. Immutable. */
public final class Popularity {
    private final double[] upTo;

    /**
     * Creates a distribution.
     *
     * @param count number of items, from 0
     * @param skew 0 for a uniform one
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

    /** Returns the probability of an item. */
    public double share(int thing) {
        return thing == 0 ? upTo[0] : upTo[thing] - upTo[thing - 1];
    }

    /** Returns a random item. */
    public int next(RandomGenerator random) {
        int position = Arrays.binarySearch(upTo, random.nextDouble());
        return Math.min(position < 0 ? -position - 1 : position, upTo.length - 1);
    }
}
