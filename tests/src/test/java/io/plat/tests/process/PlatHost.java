package io.plat.tests.process;

import io.plat.cli.Plat;
import io.plat.cli.output.Colour;
import io.plat.cli.process.Environment;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * The JVM of a {@link ReusedPlat}: prints a port, and runs commands. A client sends its process id and the arguments, and receives the exit
 * status; the command has the environment of that process, and its descriptors 5 to 7 as standard streams (proc(5)).
 */
final class PlatHost {
    private static final MethodHandle RUN = run();

    private PlatHost() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            System.out.println(listening.getLocalPort());
            while (true) {
                Socket client = listening.accept();
                Thread.ofPlatform().start(() -> serve(client));
            }
        }
    }

    /** Returns the method that {@code main} calls with the environment of the process. */
    private static MethodHandle run() {
        try {
            var method = Plat.class.getDeclaredMethod(
                    "run", Environment.class, OutputStream.class, OutputStream.class, String[].class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void serve(Socket client) {
        try (client) {
            LauncherWords words = LauncherWords.of(client);
            int status = run(words.process(), words.arguments());
            client.getOutputStream().write((status + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int run(Path process, String[] arguments) throws IOException {
        Path here = Path.of("").toRealPath();
        if (!process.resolve("cwd").toRealPath().equals(here)) {
            throw new IOException("not run in " + here);
        }
        Map<String, String> variables = variables(process);
        // Files are opened to append, as both streams may be the same file.
        try (InputStream in = new FileInputStream(process.resolve("fd/5").toFile());
                OutputStream out = new FileOutputStream(process.resolve("fd/6").toFile(), true);
                OutputStream err = new FileOutputStream(process.resolve("fd/7").toFile(), true)) {
            var environment = new Environment(
                    variables,
                    Path.of(variables.getOrDefault("HOME", "/")),
                    in,
                    Colour.isEnabled(variables),
                    InstantSource.system());
            return (int) RUN.invoke(environment, out, err, arguments);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> variables(Path process) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String line : Files.readString(process.resolve("environ")).split("\0", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                variables.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return variables;
    }
}
