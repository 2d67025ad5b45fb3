package io.plat.engine.plugin.host;

import io.plat.engine.plugin.AuthorizerPlugin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Creator of jars from classes of the tests. */
public final class TestingJars {
    private TestingJars() {}

    /** Creates a jar with a sample plug-in, by its simple name, and its service declaration. */
    public static Path plugin(Path directory, String file, String sample) {
        String type = SamplePlugins.class.getName() + "$" + sample;
        return jar(directory, file, type, type);
    }

    /**
     * Creates a jar with one class.
     *
     * @param provided the service that it declares, or {@code ""}
     * @param type the class in it, or {@code ""}
     */
    static Path jar(Path directory, String file, String provided, String type) {
        Path jar = directory.resolve(file);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            if (!provided.isEmpty()) {
                String list = "# plug-ins\n\n" + provided + " # the one\n";
                write(
                        out,
                        "META-INF/services/" + AuthorizerPlugin.class.getName(),
                        list.getBytes(StandardCharsets.UTF_8));
            }
            if (!type.isEmpty()) {
                String name = type.replace('.', '/') + ".class";
                try (InputStream bytes = Objects.requireNonNull(
                        TestingJars.class.getClassLoader().getResourceAsStream(name), name)) {
                    write(out, name, bytes.readAllBytes());
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a jar that declares a class with arbitrary bytes. */
    static void rotten(Path jar, String type, byte[] content) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            write(out, "META-INF/services/" + AuthorizerPlugin.class.getName(), type.getBytes(StandardCharsets.UTF_8));
            write(out, type.replace('.', '/') + ".class", content);
        }
    }

    private static void write(JarOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content);
        out.closeEntry();
    }
}
