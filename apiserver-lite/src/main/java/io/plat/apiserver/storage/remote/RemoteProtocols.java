package io.plat.apiserver.storage.remote;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Finds those who speak a protocol among the jars of a folder and of the folder {@code lib} in it. They see the JDK, each other and what
 * they are compiled against, not the server's libraries, so that both may bring their own versions; and a server that has no use for them
 * does not even open their jars.
 */
public final class RemoteProtocols {
    private RemoteProtocols() {}

    /**
     * The one of a name. Its classes stay until the process ends.
     *
     * @throws IOException if the folder can't be read or has none of that name
     */
    public static RemoteProtocol find(Path folder, String name) throws IOException {
        var jars = new ArrayList<URL>();
        addJars(folder, jars);
        addJars(folder.resolve("lib"), jars);
        URLClassLoader loader = new URLClassLoader(name, jars.toArray(URL[]::new), new Shared());
        for (RemoteProtocol protocol : ServiceLoader.load(RemoteProtocol.class, loader)) {
            if (protocol.name().equals(name)) {
                return protocol;
            }
        }
        loader.close();
        throw new IOException("no jar in \"" + folder + "\" speaks " + name);
    }

    private static void addJars(Path folder, List<URL> jars) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path jar : found) {
                jars.add(url(jar));
            }
        }
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    /** The server as they see it. */
    private static final class Shared extends ClassLoader {
        private static final ClassLoader SERVER = RemoteProtocol.class.getClassLoader();
        private static final List<String> PACKAGES =
                List.of("io.plat.apiserver.storage.", "org.slf4j.", "org.jspecify.annotations.");

        Shared() {
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
