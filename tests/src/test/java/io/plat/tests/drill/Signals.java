package io.plat.tests.drill;

import io.plat.tests.process.Command;

/** Pauses a process for a while, like an overloaded or swapping machine. */
final class Signals {
    private Signals() {}

    static void pause(long pid) {
        send("-STOP", pid);
    }

    static void resume(long pid) {
        send("-CONT", pid);
    }

    private static void send(String signal, long pid) {
        Command.of("kill", signal, Long.toString(pid)).run();
    }
}
