package io.plat.http.process;

import io.plat.process.SharedClasses;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/** Optional jars of a program with their own libraries, opened only for a flag. */
public final class OptionalJars {
    /** By service and directory: another server in the same process does not load and compile the classes again. */
    private static final Map<String, URLClassLoader> OPENED = new HashMap<>();

    private OptionalJars() {}

    /**
     * Finds a service in the jars of a directory and of its {@code lib} directory. They are isolated from the program's libraries, so that
     * both may have their own versions. Its classes stay loaded until the process ends.
     *
     * @param wanted accepts the service
     * @param shared name prefixes of the program's classes that the service needs, the same in every call for it
     * @throws IOException if the directory cannot be read or has no such service
     */
    public static synchronized <T> T find(Class<T> service, Path directory, Predicate<T> wanted, List<String> shared)
            throws IOException {
        String key = service.getName() + " " + directory.toAbsolutePath();
        URLClassLoader opened = OPENED.get(key);
        URLClassLoader loader = opened == null ? open(service, directory, shared) : opened;
        for (T provider : ServiceLoader.load(service, loader)) {
            if (wanted.test(provider)) {
                OPENED.put(key, loader);
                return provider;
            }
        }
        if (opened == null) {
            loader.close();
        }
        throw new IOException("no jar in \"" + directory + "\" provides " + service.getSimpleName());
    }

    private static URLClassLoader open(Class<?> service, Path directory, List<String> shared) throws IOException {
        var jars = new ArrayList<URL>();
        for (Path each : List.of(directory, directory.resolve("lib"))) {
            if (Files.isDirectory(each)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(each, "*.jar")) {
                    for (Path jar : files) {
                        jars.add(jar.toUri().toURL());
                    }
                }
            }
        }
        return new URLClassLoader(
                "optional",
                jars.toArray(URL[]::new),
                new SharedClasses(
                        service.getClassLoader(), name -> shared.stream().anyMatch(name::startsWith)));
    }
}
