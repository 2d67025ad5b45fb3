package io.plat.http.process;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Jars of a program that are opened only if a flag asks for them. */
public final class OptionalJars {
    private OptionalJars() {}

    /**
     * Finds a service in the jars of a directory and of its {@code lib} directory. A class that the program has is the program's. Classes of the
     * service stay loaded until the process ends.
     *
     * @throws IOException if the directory cannot be read or has no such service
     */
    public static <T> T find(Class<T> service, Path folder) throws IOException {
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
        URLClassLoader loader = new URLClassLoader("optional", jars.toArray(URL[]::new), service.getClassLoader());
        Optional<T> found = ServiceLoader.load(service, loader).findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        loader.close();
        throw new IOException("no jar in \"" + folder + "\" provides " + service.getSimpleName());
    }
}
