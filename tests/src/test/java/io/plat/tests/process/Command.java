package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A run of a program, with its output as text. Immutable; each {@code with} creates a changed copy. */
public final class Command {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<String> words;
    private final Map<String, String> environment;
    private final String input;
    private final Duration limit;
    private final @Nullable Path where;

    private Command(
            List<String> words, Map<String, String> environment, String input, Duration limit, @Nullable Path where) {
        this.words = List.copyOf(words);
        this.environment = Map.copyOf(environment);
        this.input = input;
        this.limit = limit;
        this.where = where;
    }

    /** Creates a run of one of the three programs. */
    public static Command of(Program program, String... arguments) {
        return of(program.launcher().toString()).with(arguments);
    }

    /** Creates a run of one of the three programs in the JVM that tests share ({@link Program#reused}). */
    public static Command reused(Program program, String... arguments) {
        return of(program.reused().toString()).with(arguments);
    }

    /** Creates a run of any program. */
    public static Command of(String... words) {
        return new Command(List.of(words), Map.of(), "", LIMIT, null);
    }

    /** Adds arguments. */
    public Command with(String... arguments) {
        List<String> all = new ArrayList<>(words);
        all.addAll(Arrays.asList(arguments));
        return new Command(all, environment, input, limit, where);
    }

    /** Sets an environment variable; {@code ""} removes it. */
    public Command withEnvironment(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new Command(words, all, input, limit, where);
    }

    /** Sets the text on standard input. */
    public Command withInput(String text) {
        return new Command(words, environment, text, limit, where);
    }

    /** Sets the timeout, by default a minute. */
    public Command within(Duration time) {
        return new Command(words, environment, input, time, where);
    }

    /** Sets the working directory. */
    public Command in(Path directory) {
        return new Command(words, environment, input, limit, directory);
    }

    /** Runs the program; after the timeout it is killed and the test fails. */
    public CompletedProcess run() {
        Path directory = null;
        try {
            directory = Files.createTempDirectory("plat-run");
            return run(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + words, e);
        } finally {
            Directories.delete(directory);
        }
    }

    private CompletedProcess run(Path directory) throws IOException, InterruptedException {
        Path in = Files.writeString(directory.resolve("in"), input);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        if (where != null) {
            builder.directory(where.toFile());
        }
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        Process process = builder.start();
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("did not end within " + limit.toSeconds() + " s: " + words);
        }
        return new CompletedProcess(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    /** Returns whether a third-party program is on the PATH. */
    public static boolean installed(String program) {
        for (String directory : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory).resolve(program))) {
                return true;
            }
        }
        return false;
    }
}
