package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonFactory;
import io.plat.client.AccessClient;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples of the client library in {@code decider/examples}, with a decider. */
class JavaExamplesTest {
    private static final int MAX_LINES = 80;
    private static final Duration BUILT = Duration.ofMinutes(4);
    private static final String POLICY = """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","nonResourcePath":"/reports/*","readonly":true}}
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"group":"system:authenticated","nonResourcePath":"/reports/all","readonly":true}}
            """;

    private static TestPki pki;
    private static Path directory;
    private static RunningServer decider;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("reports");
        directory = Files.createTempDirectory("plat-java-examples");
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), POLICY);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=ABAC", "--authorization-policy-file=" + policy));
        decider = RunningServer.startReused(Program.DECIDER, flags);
    }

    @AfterAll
    static void stop() {
        decider.close();
        Directories.delete(directory);
        pki.close();
    }

    private static int get(URI uri, String... header) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri);
            if (header.length > 0) {
                request.headers(header);
            }
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void examplesAreShort() throws IOException {
        try (Stream<Path> files = Files.walk(Checkout.path("decider/examples"))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThan(MAX_LINES);
            }
        }
    }

    /** Authentication, by a header in this test. */
    private static final class NamedUser implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String name = ((HttpServletRequest) request).getHeader("X-User");
            @Nullable Principal user = name == null ? null : () -> name;
            chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public @Nullable Principal getUserPrincipal() {
                            return user;
                        }
                    },
                    response);
        }
    }

    private static final class Report extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("report");
        }
    }

    @Test
    @SuppressWarnings("try") // Closed early on purpose.
    void servletFilterLetsAllowedRequestsPass() throws Exception {
        Path classes = Files.createDirectory(directory.resolve("filter"));
        Path source = Checkout.path("decider/examples/servlet-filter/src/main/java/com/example/AccessFilter.java");
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        if (!classPath.contains("servlet-api")) {
            classPath = classPath
                    + File.pathSeparator
                    + jarOf(Filter.class)
                    + File.pathSeparator
                    + jarOf(AccessClient.class);
        }
        assertThat(javac.run(
                        null, null, null, "-proc:none", "-cp", classPath, "-d", classes.toString(), source.toString()))
                .isZero();
        Server jetty = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (AccessClient client = AccessClient.builder()
                        .decider(decider.address())
                        .certificates(file("ca.crt"), file("reports.crt"), file("reports.key"))
                        .build();
                URLClassLoader loader = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Filter filter = (Filter) loader.loadClass("com.example.AccessFilter")
                    .getConstructor(AccessClient.class)
                    .newInstance(client);
            ServletContextHandler context = new ServletContextHandler("/");
            var all = EnumSet.of(DispatcherType.REQUEST);
            context.addFilter(new FilterHolder(new NamedUser()), "/*", all);
            context.addFilter(new FilterHolder(filter), "/*", all);
            context.addServlet(new ServletHolder(new Report()), "/*");
            jetty.setHandler(context);
            jetty.start();
            String top = "http://127.0.0.1:" + ((ServerConnector) jetty.getConnectors()[0]).getLocalPort();
            assertThat(get(URI.create(top + "/reports/1"))).isEqualTo(401);
            assertThat(get(URI.create(top + "/reports/1"), "X-User", "alice")).isEqualTo(200);
            assertThat(get(URI.create(top + "/reports/1"), "X-User", "bob")).isEqualTo(403);
            assertThat(get(URI.create(top + "/reports/all"), "X-User", "bob")).isEqualTo(200);
            assertThat(get(URI.create(top + "/reports/all"))).as("nobody").isEqualTo(401);
            assertThat(get(URI.create(top + "/secrets"), "X-User", "alice")).isEqualTo(403);
            for (String trick : List.of("/reports/..;/secrets", "/reports/%2e%2e/secrets", "/reports/1;x=y")) {
                assertThat(get(URI.create(top + trick), "X-User", "alice"))
                        .as(trick)
                        .isIn(400, 403);
            }
            client.close();
            assertThat(get(URI.create(top + "/reports/2"), "X-User", "alice")).isEqualTo(503);
        } finally {
            jetty.stop();
        }
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private static Path file(String name) {
        return Path.of(pki.file(name));
    }

    @Test
    void springServiceLetsAllowedRequestsPass() throws Exception {
        assumeThat(Command.installed("mvn")).as("mvn is not installed").isTrue();
        Path copy = directory.resolve("spring-boot");
        try (Stream<Path> files = Files.walk(Checkout.path("decider/examples/spring-boot"))) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                Path target = copy.resolve(Checkout.path("decider/examples/spring-boot")
                        .relativize(each)
                        .toString());
                Files.createDirectories(target.getParent());
                Files.copy(each, target);
            }
        }
        Path classPath = directory.resolve("class-path");
        CompletedProcess build = Command.of(
                        "mvn",
                        "-q",
                        "-B",
                        "-f",
                        copy.resolve("pom.xml").toString(),
                        "-Dplat=" + Checkout.root(),
                        "compile",
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=" + classPath)
                .withEnvironment("JAVA_HOME", System.getProperty("java.home"))
                .within(BUILT)
                .run();
        assumeThat(build.out() + build.err())
                .as("Maven Central cannot be reached")
                .doesNotContain("Could not transfer", "Cannot access");
        assertThat(build.exitStatus()).as(build.out() + build.err()).isZero();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                copy.resolve("target/classes")
                        + File.pathSeparator
                        + Files.readString(classPath)
                        + File.pathSeparator
                        + jarOf(JsonFactory.class),
                "com.example.Reports",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--decider.url=" + decider.address(),
                "--decider.certificates=" + pki.directory());
        Path log = directory.resolve("spring.log");
        Process service = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Pattern started = Pattern.compile("Tomcat started on port (\\d+)");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> started.matcher(Files.readString(log)).find() || !service.isAlive());
            Matcher port = started.matcher(Files.readString(log));
            assertThat(port.find()).as(Files.readString(log)).isTrue();
            URI report = URI.create("http://127.0.0.1:" + port.group(1) + "/reports/1");
            assertThat(get(report)).isEqualTo(401);
            assertThat(get(report, "Authorization", basic("alice:a"))).isEqualTo(200);
            assertThat(get(report, "Authorization", basic("bob:b"))).isEqualTo(403);
            URI all = report.resolve("all");
            assertThat(get(all, "Authorization", basic("bob:b"))).isEqualTo(200);
            assertThat(get(all)).as("anonymous").isEqualTo(401);
        } finally {
            service.destroyForcibly();
            service.waitFor();
        }
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }
}
