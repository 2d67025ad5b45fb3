package io.plat.tests.simulation;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random choice by Zipf's law: the n-th item has weight 1/n to the power of the skew. Immutable. */
public final class Popularity {
    private final double[] cumulative;

    /**
     * Creates a distribution.
     *
     * @param count number of items, from 0
     * @param skew 0 for a uniform one
     */
    public Popularity(int count, double skew) {
        cumulative = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1, -skew);
            cumulative[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            cumulative[i] /= sum;
        }
    }

    /** Returns the probability of an item. */
    public double share(int item) {
        return item == 0 ? cumulative[0] : cumulative[item] - cumulative[item - 1];
    }

    /** Returns a random item. */
    public int next(RandomGenerator random) {
        int position = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(position < 0 ? -position - 1 : position, cumulative.length - 1);
    }
}
