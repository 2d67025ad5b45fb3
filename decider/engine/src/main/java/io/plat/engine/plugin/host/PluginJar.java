package io.plat.engine.plugin.host;

import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A jar of a plug-in directory.
 *
 * @param file its path, relative to the directory as configured
 * @param providers the classes that it declares as plug-ins; none in a library
 */
record PluginJar(Path file, List<String> providers) {
    private static final String SERVICES = "META-INF/services/" + AuthorizerPlugin.class.getName();

    /** Maximum size of the list of plug-ins, in bytes. */
    private static final int MAX_LIST = 1 << 16;

    PluginJar {
        providers = List.copyOf(providers);
    }

    /**
     * Returns the jars of a directory, sorted by name. Other files are ignored.
     *
     * @param problems receives the problems
     */
    static List<PluginJar> of(Path directory, Consumer<Problem> problems) {
        List<PluginJar> jars = new ArrayList<>();
        for (Path file : files(directory, problems)) {
            PluginJar jar = read(file, problems);
            if (jar != null) {
                jars.add(jar);
            }
        }
        return jars;
    }

    private static List<Path> files(Path directory, Consumer<Problem> problems) {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            problems.accept(problem(
                    directory,
                    Files.exists(directory)
                            ? "not a directory, expected a directory of jars"
                            : "cannot read: no such directory"));
            return files;
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
            jars.forEach(files::add);
        } catch (IOException e) {
            problems.accept(problem(directory, "cannot read: " + SourceReader.reason(directory, e)));
        }
        files.sort(null);
        return files;
    }

    private static @Nullable PluginJar read(Path file, Consumer<Problem> problems) {
        if (!Files.isRegularFile(file)) {
            problems.accept(problem(file, "not a file, expected a jar"));
            return null;
        }
        try (JarFile jar = new JarFile(file.toFile(), false)) {
            JarEntry list = jar.getJarEntry(SERVICES);
            return new PluginJar(file, list == null ? List.of() : providers(jar, list));
        } catch (ZipException e) {
            problems.accept(problem(file, "not a jar: " + Quoted.oneLine(String.valueOf(e.getMessage()))));
        } catch (IOException e) {
            problems.accept(problem(file, "cannot read: " + SourceReader.reason(file, e)));
        }
        return null;
    }

    private static List<String> providers(JarFile jar, JarEntry list) throws IOException {
        try (InputStream content = jar.getInputStream(list)) {
            return new String(content.readNBytes(MAX_LIST), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .distinct()
                    .toList();
        }
    }

    URL url() {
        URI uri = file.toAbsolutePath().toUri();
        try {
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("every file has a URL: " + uri, e);
        }
    }

    Problem problem(String message) {
        return problem(file, message);
    }

    static Problem problem(Path file, String message) {
        return new Problem(new Location(file.toString(), 0), message);
    }
}
