package io.plat.tests.drill;

/**
 * A temporary fault.
 *
 * @param part affected part of the system
 * @param name name of the fault
 * @param begin starts it
 * @param end ends it; returns once a killed process listens again
 */
record Fault(String part, String name, Runnable begin, Runnable end) {
    @Override
    public String toString() {
        return part + ": " + name;
    }
}
