package io.plat.tests.process;

import io.plat.engine.plugin.AuthorizerPlugin;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Plug-in jars, compiled like those of users: against the engine's jar only. Immutable. */
public final class PluginJar {
    /** Classes that plug-ins are compiled against. */
    private static final String INTERFACE = AuthorizerPlugin.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath();

    private final String classPath;
    private final List<JavaFileObject> sources;
    private final List<String> provided;

    private PluginJar(String classPath, List<JavaFileObject> sources, List<String> provided) {
        this.classPath = classPath;
        this.sources = List.copyOf(sources);
        this.provided = List.copyOf(provided);
    }

    /**
     * Returns a jar with one source.
     *
     * @param type class name
     * @param source its source
     */
    public static PluginJar of(String type, String source) {
        return new PluginJar(INTERFACE, List.of(new Source(type, source)), List.of());
    }

    /** Adds jars to the compile class path. */
    public PluginJar with(Path library) {
        return new PluginJar(classPath + File.pathSeparator + library, sources, provided);
    }

    /** Declares a class as a plug-in. */
    public PluginJar providing(String type) {
        List<String> more = new ArrayList<>(provided);
        more.add(type);
        return new PluginJar(classPath, sources, more);
    }

    /** Compiles it and writes the jar. */
    public Path write(Path jar) {
        Path classes = null;
        try {
            classes = Files.createTempDirectory("plat-plugin");
            compile(classes);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                if (!provided.isEmpty()) {
                    String list = String.join("\n", provided) + "\n";
                    write(
                            out,
                            "META-INF/services/" + AuthorizerPlugin.class.getName(),
                            list.getBytes(StandardCharsets.UTF_8));
                }
                for (Path file : files(classes)) {
                    write(out, classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Directories.delete(classes);
        }
    }

    private void compile(Path classes) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "the tests run on a JDK");
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of("-d", classes.toString(), "-cp", classPath, "-proc:none", "--release", "25");
            if (!compiler.getTask(messages, files, null, options, null, sources).call()) {
                throw new AssertionError("does not compile: " + messages);
            }
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void write(JarOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content);
        out.closeEntry();
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String type, String text) {
            super(uri(type), Kind.SOURCE);
            this.text = text;
        }

        private static URI uri(String type) {
            try {
                return new URI("string", null, "/" + type.replace('.', '/') + Kind.SOURCE.extension, null);
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException(type, e);
            }
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
