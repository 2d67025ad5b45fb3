package io.plat.client.remote;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Threads and log of the program that uses the client. */
public interface HostProgram {
    /** The wait of a round after which there is nothing to do before the next signal. */
    Duration UNTIL_SIGNAL = Duration.ofDays(365);

    /** The program's own: daemon threads, and the platform's logger {@code io.plat.client}. */
    HostProgram DEFAULT = new DaemonThreads();

    /** One round of a loop. */
    @FunctionalInterface
    interface Round {
        /**
         * Performs the round; returns how long to wait for a signal before the next one.
         *
         * @throws Exception if it failed; the next round begins after a short wait
         */
        Duration perform() throws Exception;
    }

    /** Work that is repeated by a thread of its own until it is closed. */
    interface Loop extends AutoCloseable {
        /** Starts the loop. To be called once. */
        void start();

        /** Has the next round begin at once. Several signals may be one for the work. */
        void signal();

        /** Ends the loop after the round that is running, which is not interrupted. */
        void finish();

        /** Ends the loop, and interrupts the round that is running. Does not wait for the end. */
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
