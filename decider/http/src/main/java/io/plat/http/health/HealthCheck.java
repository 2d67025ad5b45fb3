package io.plat.http.health;

/** A health check. Returns at once, from known state; thread-safe. */
@FunctionalInterface
public interface HealthCheck {
    /** A check that always succeeds: the response is the proof. */
    HealthCheck PING = () -> "";

    /** Returns {@code ""} if healthy, else the problem: one line for the operator, without secrets. */
    String problem();
}
