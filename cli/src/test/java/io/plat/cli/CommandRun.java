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
 * An in-process run of plat.
 *
 * @param status its exit status
 * @param out its stdout
 * @param err its stderr
 */
public record CommandRun(int status, String out, String err) {
    /** Runs plat. */
    public static CommandRun plat(String... arguments) {
        return plat(InputStream.nullInputStream(), arguments);
    }

    /** Runs plat with standard input. */
    public static CommandRun plat(InputStream in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandRun run = plat(in, out, arguments);
        return new CommandRun(run.status, out.toString(StandardCharsets.UTF_8), run.err);
    }

    /** Runs plat with another standard output, which is not part of the result. */
    public static CommandRun plat(InputStream in, OutputStream out, String... arguments) {
        return plat(Map.of(), in, out, arguments);
    }

    /** Runs plat with environment variables. */
    public static CommandRun plat(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandRun run = plat(environment, InputStream.nullInputStream(), out, arguments);
        return new CommandRun(run.status, out.toString(StandardCharsets.UTF_8), run.err);
    }

    private static CommandRun plat(
            Map<String, String> environment, InputStream in, OutputStream out, String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Environment host = new Environment(environment, Path.of("/nonexistent"), in, false, InstantSource.system());
        int status = Plat.run(host, out, err, arguments);
        return new CommandRun(status, "", err.toString(StandardCharsets.UTF_8));
    }
}
