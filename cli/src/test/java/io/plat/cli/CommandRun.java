package io.plat.cli;

import io.plat.cli.process.Environment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * A run of plat in this process.
 *
 * @param status its exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
public record Typed(int status, String out, String err) {
    /** Runs it. */
    public static Typed plat(String... arguments) {
        return plat(InputStream.nullInputStream(), arguments);
    }

    /** Runs it with something to read. */
    public static Typed plat(InputStream in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Typed run = plat(in, out, arguments);
        return new Typed(run.status, out.toString(StandardCharsets.UTF_8), run.err);
    }

    /** A run with a standard output of its own, which is not part of the outcome. */
    public static Typed plat(InputStream in, OutputStream out, String... arguments) {
        return plat(Map.of(), in, out, arguments);
    }

    /** Runs it with variables in the environment. */
    public static Typed plat(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Typed run = plat(environment, InputStream.nullInputStream(), out, arguments);
        return new Typed(run.status, out.toString(StandardCharsets.UTF_8), run.err);
    }

    private static Typed plat(Map<String, String> environment, InputStream in, OutputStream out, String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Environment here = new Environment(environment, Path.of("/nonexistent"), in, false, InstantSource.system());
        int status = Plat.run(here, out, err, arguments);
        return new Typed(status, "", err.toString(StandardCharsets.UTF_8));
    }
}
