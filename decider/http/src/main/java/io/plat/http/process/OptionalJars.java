package io.plat.http.process;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/** Optional jars of a program with their own libraries, opened only for a flag. */
public final class OptionalJars {
    private OptionalJars() {}

    /**
     * Finds a service in the jars of a directory and of its {@code lib} directory. They are isolated from the program's libraries, so that
     * both may have their own versions. Its classes stay loaded until the process ends.
     *
     * @param wanted accepts the service
     * @param shared name prefixes of the program's classes that it needs
     * @throws IOException if the directory cannot be read or has no such service
     */
    public static <T> T find(Class<T> service, Path folder, Predicate<T> wanted, List<String> shared)
            throws IOException {
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
        URLClassLoader loader =
                new URLClassLoader("optional", jars.toArray(URL[]::new), new SharedClasses(service, shared));
        for (T found : ServiceLoader.load(service, loader)) {
            if (wanted.test(found)) {
                return found;
            }
        }
        loader.close();
        throw new IOException("no jar in \"" + folder + "\" provides " + service.getSimpleName());
    }

    /** Class loader with the program's classes that a service needs. */
    private static final class SharedClasses extends ClassLoader {
        private final ClassLoader program;
        private final List<String> shared;

        SharedClasses(Class<?> service, List<String> shared) {
            super("shared", ClassLoader.getPlatformClassLoader());
            this.program = service.getClassLoader();
            this.shared = shared;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (shared.stream().noneMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return program.loadClass(name);
        }
    }
}
