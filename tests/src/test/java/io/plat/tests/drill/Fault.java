package io.plat.tests.drill;

/**
 * Something that goes wrong for a while.
 *
 * @param part which part of the system it befalls
 * @param name what it is
 * @param begin begins it
 * @param end ends it; returns when what was killed listens again
 */
record Fault(String part, String name, Runnable begin, Runnable end) {
    @Override
    public String toString() {
        return part + ": " + name;
    }
}
