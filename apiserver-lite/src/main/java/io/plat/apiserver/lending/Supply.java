package io.plat.apiserver.lending;

/** What there is to lend, in an order. Those that come first are drawn last, as they are the ones that people ask for by name. */
public interface Supply {
    /** How many there are, at least 1. */
    long size();

    /**
     * One of them.
     *
     * @param place from 0 to one less than {@link #size()}
     */
    String at(long place);

    /** Whether it is one of them. */
    boolean contains(String item);

    /** How many of the first are drawn only when nothing else is left. */
    long keptBack();

    /** A sixteenth, or a part of it as large as most will need; none where there are few. */
    static long keptBack(long size, long most) {
        return size <= 16 ? 0 : Math.min(Math.max(16, size / 16), most);
    }
}
