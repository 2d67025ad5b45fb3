package io.plat.apiserver.representation.binary;

import java.util.Arrays;

/**
 * Where the values of a message stand: for each of its fields the stretches of bytes in the order in which they came.
 *
 * <p>The wire may bring fields in any order, repeat single ones (the last counts, messages are joined) and scatter an array's
 * elements; JSON may not. So a message is looked through first and written afterwards. One of these is used again and again.
 */
final class Occurrences {
    private int[] first = new int[16];
    private int[] last = new int[16];
    private int[] start = new int[16];
    private int[] end = new int[16];
    private int[] next = new int[16];
    private int count;

    /** Forgets everything; slots count from 0. */
    void reset(int slots) {
        if (slots > first.length) {
            first = new int[slots];
            last = new int[slots];
        }
        Arrays.fill(first, 0, slots, -1);
        Arrays.fill(last, 0, slots, -1);
        count = 0;
    }

    /** Notes a value. */
    void add(int slot, int from, int to) {
        if (count == start.length) {
            start = Arrays.copyOf(start, count * 2);
            end = Arrays.copyOf(end, count * 2);
            next = Arrays.copyOf(next, count * 2);
        }
        start[count] = from;
        end[count] = to;
        next[count] = -1;
        if (first[slot] < 0) {
            first[slot] = count;
        } else {
            next[last[slot]] = count;
        }
        last[slot] = count++;
    }

    /** The first value of a slot; -1 where there is none. */
    int first(int slot) {
        return first[slot];
    }

    /** The last value of a slot; -1 where there is none. */
    int last(int slot) {
        return last[slot];
    }

    /** The next value of the same slot; -1 behind the last. */
    int next(int occurrence) {
        return next[occurrence];
    }

    /** The index of a value's first byte. */
    int start(int occurrence) {
        return start[occurrence];
    }

    /** The index behind a value's last byte. */
    int end(int occurrence) {
        return end[occurrence];
    }
}
