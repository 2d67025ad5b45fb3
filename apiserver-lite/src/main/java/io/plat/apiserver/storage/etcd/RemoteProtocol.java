package io.plat.apiserver.storage.etcd;

import io.plat.http.process.OptionalJars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Protocol of a key-value store; loaded as a service. */
public interface RemoteProtocol {
    /** Returns its name in {@code --storage-backend}. */
    String name();

    /** Opens a client of a store; connections are established on use. */
    RemoteKeys open(RemoteSettings settings, RequestObserver observer);

    /** Opens a client without an observer. */
    default RemoteKeys open(RemoteSettings settings) {
        return open(settings, RequestObserver.NONE);
    }

    /**
     * Finds a protocol by name in the jars of a directory and of its {@code lib} directory. The jars are isolated from the
     * server's libraries, so that both may have their own versions, and are opened by this call only. Their classes stay loaded until
     * the process ends.
     *
     * @throws IOException if the directory cannot be read or has no protocol of that name
     */
    static RemoteProtocol find(Path folder, String name) throws IOException {
        return OptionalJars.find(
                RemoteProtocol.class,
                folder,
                protocol -> protocol.name().equals(name),
                List.of("io.plat.apiserver.storage.", "org.slf4j.", "org.jspecify.annotations."));
    }
}
