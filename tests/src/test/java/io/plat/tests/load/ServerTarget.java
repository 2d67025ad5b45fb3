package io.plat.tests.load;

import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server of this project under load. */
interface ServerTarget extends Target {
    /** Returns its process. */
    RunningServer server();

    @Override
    default int port() {
        return server().port();
    }

    @Override
    default long[] pids() {
        return new long[] {server().pid()};
    }

    /** Returns its memory, in MiB. */
    default double residentMebibytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + server().pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
            }
        }
        throw new IOException("the kernel does not report the memory of the process");
    }

    @Override
    default void close() {
        server().close();
    }
}
