package io.plat.tests.load;

import io.plat.tests.process.RunningServer;

/** One of the project's own servers under load. */
interface ServerTarget extends Target {
    /** Its process. */
    RunningServer server();

    @Override
    default int port() {
        return server().port();
    }

    @Override
    default long[] pids() {
        return new long[] {server().pid()};
    }

    @Override
    default void close() {
        server().close();
    }
}
