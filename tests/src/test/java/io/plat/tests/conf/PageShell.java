package io.plat.tests.conf;

import static org.awaitility.Awaitility.await;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Directories;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A shell in a copy of the checkout's top directory: {@code conf} is copied, the modules are links. The given programs are on the PATH, and ports
 * in pages are replaced by free ones. Closing it ends all child processes.
 */
final class PageShell implements AutoCloseable {
    private static final List<String> PORTS = List.of("8443", "8444", "6443", "9443");
    private static final List<String> MODULES = List.of("decider", "apiserver-lite", "cli", "pom.xml");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path top;
    private final Path outputs;
    private final Process shell;
    private final Writer input;
    private final Map<String, String> ports;
    private int commands;

    private PageShell(Path top, Path outputs, Process shell, Map<String, String> ports) {
        this.top = top;
        this.outputs = outputs;
        this.shell = shell;
        this.input = new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8);
        this.ports = ports;
    }

    /**
     * Starts it.
     *
     * @param top an existing directory, whose contents are replaced
     * @param programs directories at the front of the PATH
     */
    static PageShell start(Path top, List<Path> programs) throws IOException {
        Directories.clear(top);
        Path directory = Files.createTempDirectory("plat-page");
        Path outputs = Files.createDirectory(directory.resolve("outputs"));
        Map<String, String> ports = new LinkedHashMap<>();
        for (String port : PORTS) {
            ports.put(port, Integer.toString(ForeignServer.freePort()));
        }
        copy(Checkout.path("conf"), top.resolve("conf"), ports);
        for (String module : MODULES) {
            Files.createSymbolicLink(top.resolve(module), Checkout.path(module));
        }
        // The quickstart does not build: the programs are built before the tests.
        Files.createFile(
                Files.createDirectories(top.resolve("target/quickstart")).resolve("built"));
        ProcessBuilder builder = new ProcessBuilder("bash", "--noprofile", "--norc")
                .directory(top.toFile())
                .redirectErrorStream(true)
                .redirectOutput(outputs.resolve("shell").toFile());
        environment(builder.environment(), directory, programs);
        return new PageShell(top, outputs, builder.start(), ports);
    }

    private static void environment(Map<String, String> environment, Path directory, List<Path> programs) {
        List<String> path = new ArrayList<>();
        programs.forEach(program -> path.add(program.toString()));
        for (Program program : Program.values()) {
            path.add(String.valueOf(program.launcher().getParent()));
        }
        String home = System.getProperty("user.home");
        environment.putIfAbsent("GOCACHE", home + "/.cache/go-build");
        environment.putIfAbsent("PYENV_ROOT", home + "/.pyenv");
        environment.put("PATH", String.join(":", path) + ":" + environment.get("PATH"));
        environment.put("HOME", directory.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("GOTOOLCHAIN", "local");
        List.of("PLATCONFIG", "KUBECONFIG", "PLAT_OUTPUT", "COLUMNS").forEach(environment::remove);
    }

    private static void copy(Path from, Path to, Map<String, String> ports) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path file : tree.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectory(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                    if (file.toString().endsWith(".conf")) {
                        Files.writeString(target, replaced(Files.readString(file), ports));
                    }
                }
            }
        }
    }

    private static String replaced(String text, Map<String, String> ports) {
        String replaced = text;
        for (Map.Entry<String, String> port : ports.entrySet()) {
            replaced = replaced.replaceAll("(?<![\\d.])" + port.getKey() + "(?!\\d)", port.getValue());
        }
        return replaced;
    }

    /** Returns a text with the ports of the pages. */
    private String asOnPage(String text) {
        String restored = text.replace(top.toString(), "/work/plat");
        for (Map.Entry<String, String> port : ports.entrySet()) {
            restored = restored.replace(port.getValue(), port.getKey());
        }
        return restored;
    }

    /** Writes a file of a page. */
    void write(String name, List<String> content) throws IOException {
        Path file = top.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, replaced(String.join("\n", content) + "\n", ports));
    }

    /** Runs a command and returns its output. */
    String run(String command) throws IOException {
        int number = send(command, false);
        Path status = status(number);
        try {
            await(command)
                    .atMost(LIMIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        return Files.exists(status) || !shell.isAlive();
                    });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "did not end within " + LIMIT.toSeconds() + " s: " + command + "\n" + output(number), e);
        }
        return output(number);
    }

    /** Starts a command in the background, waits for the expected output, and returns its output. */
    String start(String command, Predicate<String> expected, Duration limit) throws IOException {
        int number = send(command, true);
        long end = System.nanoTime() + limit.toNanos();
        while (!expected.test(output(number)) && System.nanoTime() < end && !Files.exists(status(number))) {
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return output(number);
    }

    private int send(String command, boolean background) throws IOException {
        int number = ++commands;
        Path out = Files.createFile(outputs.resolve(number + ".out"));
        Path status = status(number);
        String run = "{ " + replaced(command, ports) + "\n}";
        String ended = "echo $? > " + status + ".new; mv " + status + ".new " + status;
        // Appended, as a program in a shared JVM opens the file again.
        String redirected = " >> " + out + " 2>&1 < /dev/null";
        input.write(
                background
                        ? "{ " + run + "; " + ended + "; }" + redirected + " &\n"
                        : run + redirected + "; " + ended + "\n");
        input.flush();
        return number;
    }

    private Path status(int number) {
        return outputs.resolve(number + ".status");
    }

    private String output(int number) {
        try {
            return asOnPage(Files.readString(outputs.resolve(number + ".out")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> processes = shell.descendants().toList();
        processes.forEach(ProcessHandle::destroy);
        shell.destroy();
        for (ProcessHandle process : processes) {
            try {
                process.onExit().get(20, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException late) {
                process.destroyForcibly();
            } catch (InterruptedException ending) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        Directories.delete(outputs.getParent());
    }
}
