package io.plat.tests.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** CPU time of processes, from the kernel (proc(5)). */
final class ProcessorTime {
    /** Ticks per second of Linux user space, on every architecture. */
    private static final double TICKS = 100;

    private ProcessorTime() {}

    /** Returns user and system time together, in seconds. */
    static double seconds(long... pids) throws IOException {
        long ticks = 0;
        for (long pid : pids) {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name in parentheses may contain spaces; numbers follow.
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            ticks += Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
        }
        return ticks / TICKS;
    }
}
