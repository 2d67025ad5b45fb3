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

/** Protocol of a key-value store; loaded as a service. */
public interface RemoteProtocol {
    /** Returns its name in {@code --storage-backend}. */
    String name();

    /** Opens a client of a store; connections are established on use. */
    RemoteKeys open(RemoteSettings settings);

    /**
     * Finds a protocol by name in the jars of a directory and of its {@code lib} directory. They are isolated from the server's
     * libraries, so that both may have their own versions; without a use for them, their jars are not even opened. Its classes stay
     * loaded until the process ends.
     *
     * @throws IOException if the directory cannot be read or has no protocol of that name
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
        URLClassLoader loader = new URLClassLoader(name, jars.toArray(URL[]::new), new SharedClassLoader());
        for (RemoteProtocol protocol : ServiceLoader.load(RemoteProtocol.class, loader)) {
            if (protocol.name().equals(name)) {
                return protocol;
            }
        }
        loader.close();
        throw new IOException("no jar in \"" + folder + "\" speaks " + name);
    }

    /** Class loader with the server's classes that a protocol needs. */
    final class SharedClassLoader extends ClassLoader {
        private static final ClassLoader SERVER = RemoteProtocol.class.getClassLoader();
        private static final List<String> PACKAGES =
                List.of("io.plat.apiserver.storage.", "org.slf4j.", "org.jspecify.annotations.");

        private SharedClassLoader() {
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
