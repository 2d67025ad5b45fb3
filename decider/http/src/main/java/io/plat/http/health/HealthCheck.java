package io.plat.http.health;

/** One thing that must hold. Answers at once, from what is known; safe for any number of threads. */
@FunctionalInterface
public interface HealthCheck {
    /** A check that always holds: that there is an answer is the proof. */
    HealthCheck PING = () -> "";

    /** {@code ""} where it holds, else why it does not: one line for the operator, without secrets. */
    String problem();
}
