package io.plat.tests.drill;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Finds the process that opened a connection, from Linux' socket and file descriptor information. */
final class SocketOwner {
    private static final int INODE = 9;

    private SocketOwner() {}

    /**
     * Returns the process that owns an end of a loopback connection; empty if it is gone.
     *
     * @param port the port of that end
     * @param remote the port of the other end
     * @param candidates process ids
     */
    static OptionalLong of(int port, int remote, List<Long> candidates) {
        try {
            String socket = inode(port, remote);
            for (long candidate : candidates) {
                if (!socket.isEmpty() && holds(candidate, "socket:[" + socket + "]")) {
                    return OptionalLong.of(candidate);
                }
            }
        } catch (IOException ended) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static String inode(int port, int remote) throws IOException {
        String local = ":%04X".formatted(port);
        String other = ":%04X".formatted(remote);
        for (String line : Files.readAllLines(Path.of("/proc/net/tcp"))) {
            String[] columns = line.strip().split("\\s+", -1);
            if (columns.length > INODE && columns[1].endsWith(local) && columns[2].endsWith(other)) {
                return columns[INODE];
            }
        }
        return "";
    }

    private static boolean holds(long process, String socket) throws IOException {
        Path files = Path.of("/proc/" + process + "/fd");
        if (!Files.isDirectory(files)) {
            return false;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
            for (Path file : all) {
                if (Files.isSymbolicLink(file) && target(file).equals(socket)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
