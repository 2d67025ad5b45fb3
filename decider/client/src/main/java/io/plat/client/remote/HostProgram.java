package io.plat.client.remote;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Threads and log of the program that embeds the client. */
public interface HostProgram {
    /** Returned by a round to wait for the next signal. */
    Duration UNTIL_SIGNAL = Duration.ofDays(365);

    /** Default: daemon threads, and the platform logger {@code io.plat.client}. */
    HostProgram DEFAULT = new DaemonThreads();

    /** One round of a loop. */
    @FunctionalInterface
    interface Round {
        /**
         * Performs the round; returns how long to wait for a signal before the next one.
         *
         * @throws Exception if it failed; the next round starts after a short delay
         */
        Duration perform() throws Exception;
    }

    /** Work that a separate thread repeats until it is closed. */
    interface Loop extends AutoCloseable {
        /** Starts the loop. Must be called once. */
        void start();

        /** Makes the next round begin at once. Several signals may cause a single round. */
        void signal();

        /** Ends the loop after the current round, which is not interrupted. */
        void finish();

        /** Ends the loop and interrupts the current round. Does not wait for the end. */
        @Override
        void close();
    }

    /**
     * Creates a loop, which is not started yet.
     *
     * @param mostlyWaits whether the rounds mostly wait for a network, so that a virtual thread will do
     */
    Loop loop(String name, boolean mostlyWaits, Round round);

    /** Returns threads for calls that wait for deciders. */
    Executor executor();

    /** Logs one line. */
    void log(System.Logger.Level level, String line);
}
