package io.plat.tests.process;

import io.plat.http.process.ServerProgram;
import io.plat.http.process.ToolProgram;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JVM of {@link ReusedServers}: prints a port, and runs programs. A client sends its process id, the program and the arguments. The
 * program's standard streams are the descriptors 6 and 7 of that process (proc(5)). A server runs until the client sends a byte or ends;
 * the client receives the exit status.
 */
final class ServerHost {
    /** Standard error of a program, inherited by the threads that it starts. */
    private static final ThreadLocal<PrintStream> ERR = new InheritableThreadLocal<>();

    private ServerHost() {}

    /** Runs until standard input ends, that is, until the tests have ended. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        System.setErr(new PrintStream(new ProgramErr(System.err), true, StandardCharsets.UTF_8));
        method("io.plat.http.process.ProcessLogging", "configure", boolean.class)
                .invoke(null, false);
        try (ServerSocket listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> accept(listening));
            System.out.println(listening.getLocalPort());
            while (System.in.read() >= 0) {
                // The tests write nothing.
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static void accept(ServerSocket listening) {
        try {
            while (true) {
                Socket client = listening.accept();
                Thread.ofPlatform().start(() -> serve(client));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(Socket client) {
        try (client) {
            LauncherWords words = LauncherWords.of(client);
            Path descriptors = words.process().resolve("fd");
            String program = words.next();
            String[] arguments = words.arguments();
            // Opened to append, as both streams may be the same file.
            try (PrintStream out = stream(descriptors.resolve("6"));
                    PrintStream err = stream(descriptors.resolve("7"))) {
                ERR.set(err);
                int status = run(program, arguments, new Streams(words.in(), out, err));
                client.getOutputStream().write((status + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PrintStream stream(Path descriptor) throws IOException {
        return new PrintStream(new FileOutputStream(descriptor.toFile(), true), true, StandardCharsets.UTF_8);
    }

    /** Streams of a program; the first one ends a server. */
    private record Streams(InputStream in, PrintStream out, PrintStream err) {}

    /** Runs a program like its {@code main}, but without ending this JVM. */
    private static int run(String program, String[] arguments, Streams streams)
            throws IOException, ReflectiveOperationException {
        String process = "io.plat.http.process.ServerProcess";
        Object tool = program.equals("apiserver-lite") && arguments.length > 0 ? tool(arguments[0]) : null;
        if (tool != null) {
            Method runTool = Arrays.stream(Class.forName(process).getDeclaredMethods())
                    .filter(method -> method.getName().equals("runTool") && method.getParameterCount() == 4)
                    .findFirst()
                    .orElseThrow();
            return (int) opened(runTool)
                    .invoke(
                            null,
                            tool,
                            streams.out(),
                            streams.err(),
                            Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        var running = new AtomicReference<ServerProgram.Running>();
        Consumer<ServerProgram.Running> onRunning = running::set;
        Object server = opened(Class.forName(process)
                        .getDeclaredConstructor(
                                ServerProgram.class, Consumer.class, PrintStream.class, PrintStream.class))
                .newInstance(serverProgram(program), onRunning, streams.out(), streams.err());
        Object started = method(process, "start", String[].class).invoke(server, (Object) arguments);
        if (running.get() == null) {
            return (int) method(process + "$Started", "status").invoke(started);
        }
        streams.in().read();
        Logger log = LoggerFactory.getLogger(Class.forName(process));
        log.info("stopping");
        return (int) method(process, "stop", ServerProgram.Running.class, Logger.class)
                .invoke(null, running.get(), log);
    }

    private static ServerProgram serverProgram(String name) throws ReflectiveOperationException {
        if (name.equals("apiserver-lite")) {
            return (ServerProgram)
                    opened(Class.forName("io.plat.apiserver.ApiServerProgram").getDeclaredConstructor())
                            .newInstance();
        }
        String main = "io.plat.decider.Decider";
        return (ServerProgram) opened(Class.forName(main + "Program").getDeclaredConstructor(String.class))
                .newInstance(method(main, "version").invoke(null));
    }

    /** Returns the subcommand of an API server, or null. */
    private static @Nullable Object tool(String name) throws ReflectiveOperationException {
        Class<?> commands = Class.forName("io.plat.apiserver.StoreTool");
        Map<?, ?> tools = (Map<?, ?>) opened(commands.getDeclaredField("ALL")).get(null);
        @SuppressWarnings("unchecked")
        Function<String, ToolProgram> tool = (Function<String, ToolProgram>) tools.get(name);
        return tool == null
                ? null
                : tool.apply((String)
                        method("io.plat.apiserver.ApiServer", "version").invoke(null));
    }

    private static Method method(String type, String name, Class<?>... parameters) throws ReflectiveOperationException {
        return opened(Class.forName(type).getDeclaredMethod(name, parameters));
    }

    private static <T extends AccessibleObject> T opened(T member) {
        member.setAccessible(true);
        return member;
    }

    /** Standard error of the program whose thread writes, or of this JVM. */
    private static final class ProgramErr extends OutputStream {
        private final PrintStream own;

        ProgramErr(PrintStream own) {
            this.own = own;
        }

        @Override
        public void write(int octet) {
            chosen().write(octet);
        }

        @Override
        public void write(byte[] octets, int from, int length) {
            chosen().write(octets, from, length);
        }

        private PrintStream chosen() {
            @Nullable PrintStream program = ERR.get();
            return program == null ? own : program;
        }
    }
}
