package io.plat.apiserver.storage.etcd;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Speaks the protocol of a key-value store; found as a service. */
public interface RemoteProtocol {
    /** The name that {@code --storage-backend} gives it. */
    String name();

    /** Prepares to ask a store; that it answers is found out by asking. */
    RemoteKeys open(RemoteSettings settings);

    /**
     * Finds the one of a name among the jars of a folder and of the folder {@code lib} in it. They see the JDK, each other and what
     * they are compiled against, not the server's libraries, so that both may bring their own versions; and a server that has no use for
     * them does not even open their jars. Its classes stay until the process ends.
     *
     * @throws IOException if the folder can't be read or has none of that name
     */
    static RemoteProtocol find(Path folder, String name) throws IOException {
        var jars = new ArrayList<URL>();
        for (Path each : List.of(folder, folder.resolve("lib"))) {
            if (Files.isDirectory(each)) {
                try (DirectoryStream<Path> found = Files.newDirectoryStream(each, "*.jar")) {
                    for (Path jar : found) {
                        jars.add(jar.toUri().toURL());
                    }
                }
            }
        }
        URLClassLoader loader = new URLClassLoader(name, jars.toArray(URL[]::new), new Shared());
        for (RemoteProtocol protocol : ServiceLoader.load(RemoteProtocol.class, loader)) {
            if (protocol.name().equals(name)) {
                return protocol;
            }
        }
        loader.close();
        throw new IOException("no jar in \"" + folder + "\" speaks " + name);
    }

    /** The server as a protocol sees it. */
    final class Shared extends ClassLoader {
        private static final ClassLoader SERVER = RemoteProtocol.class.getClassLoader();
        private static final List<String> PACKAGES =
                List.of("io.plat.apiserver.storage.", "org.slf4j.", "org.jspecify.annotations.");

        private Shared() {
            super("remote-storage", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (PACKAGES.stream().noneMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return SERVER.loadClass(name);
        }
    }
}
