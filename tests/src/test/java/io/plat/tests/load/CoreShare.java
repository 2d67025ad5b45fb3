package io.plat.tests.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A part of a core that a process may use and no more, as a small machine of its own has: a control group of the kernel's (cgroups(7), either
 * version), which only the super user of a machine that lets control groups be made can make.
 */
final class CoreShare implements AutoCloseable {
    /** So short that a client hardly sees a process stop until its next turn. */
    private static final long PERIOD_MICROS = 10_000;

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Path EARLIER = ROOT.resolve("cpu");

    /** Whether groups are of the first version. */
    private static final boolean FIRST = Files.isDirectory(EARLIER);

    private final Path group;

    private CoreShare(long pid) {
        this.group = (FIRST ? EARLIER : ROOT).resolve("plat-" + pid);
    }

    /** Whether that can be done here. */
    static boolean possible() {
        try (CoreShare tried = new CoreShare(ProcessHandle.current().pid())) {
            tried.limit(1);
            return true;
        } catch (IOException notHere) {
            return false;
        }
    }

    /** Gives a running process a part of a core from now on. */
    static CoreShare give(long pid, double ofACore) throws IOException {
        CoreShare share = new CoreShare(pid);
        share.limit(ofACore);
        share.write("cgroup.procs", Long.toString(pid));
        return share;
    }

    private void limit(double ofACore) throws IOException {
        String quota = Long.toString((long) (ofACore * PERIOD_MICROS));
        Files.createDirectory(group);
        if (FIRST) {
            write("cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
            write("cpu.cfs_quota_us", quota);
        } else {
            write("cpu.max", quota + " " + PERIOD_MICROS);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.write(group.resolve(file), List.of(text));
    }

    /** Ends the group, whose process has to be gone. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(group);
        } catch (IOException busy) {
            throw new UncheckedIOException(busy);
        }
    }
}
