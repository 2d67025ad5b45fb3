package io.plat.apiserver.storage.etcd;

import io.plat.http.process.OptionalJars;
import java.io.IOException;
import java.nio.file.Path;

/** Protocol of a key-value store; loaded as a service. */
public interface RemoteProtocol {
    /** Opens a client of a store; connections are established on use. */
    RemoteKeys open(RemoteSettings settings);

    /**
     * Finds the protocol in the jars of a directory and of its {@code lib} directory; without a use for it, its jars are not even opened.
     *
     * @throws IOException if the directory cannot be read or has no protocol
     */
    static RemoteProtocol find(Path folder) throws IOException {
        return OptionalJars.find(RemoteProtocol.class, folder);
    }
}
