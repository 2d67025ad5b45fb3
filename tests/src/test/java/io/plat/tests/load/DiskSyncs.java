package io.plat.tests.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Speed of the disk: appends of 1 KiB, each synchronized before the next. */
final class DiskSyncs {
    private DiskSyncs() {}

    /** Returns the number of durable appends per second, measured for this many seconds. */
    static double perSecond(Path directory, double seconds) throws IOException {
        Path file = directory.resolve("syncs");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            ByteBuffer kilobyte = ByteBuffer.allocate(1024);
            long began = System.nanoTime();
            long end = began + (long) (seconds * 1e9);
            int count = 0;
            while (System.nanoTime() < end) {
                channel.write(kilobyte.rewind());
                channel.force(false);
                count++;
            }
            return count / ((System.nanoTime() - began) / 1e9);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
