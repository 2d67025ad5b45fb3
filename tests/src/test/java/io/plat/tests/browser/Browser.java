package io.plat.tests.browser;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, controlled by the Chrome DevTools Protocol over the JDK's WebSocket. Records requests and errors of
 * the page.
 */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final String LISTENING = "DevTools listening on ";
    private static final Duration START = Duration.ofSeconds(30);
    private static final long ANSWER_SECONDS = 20;

    private final Process process;
    private final Path directory;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private String session = "";

    private Browser(Process process, Path directory, URI devTools) {
        this.process = process;
        this.directory = directory;
        this.socket =
                http.newWebSocketBuilder().buildAsync(devTools, new Messages()).join();
    }

    static boolean installed() {
        return Files.isExecutable(CHROMIUM);
    }

    /** Starts a browser with a profile of its own. It accepts any certificate, as test certificates have unknown authorities. */
    static Browser start() {
        return start(directory -> {});
    }

    /** Starts a browser that presents a client certificate to every server that requests one, for all pages. */
    static Browser startWithCertificate(Path certificate, Path key) {
        return start(directory -> ClientCertificateStore.install(directory, certificate, key));
    }

    private static Browser start(Preparation preparation) {
        try {
            Path directory = Files.createTempDirectory("plat-browser");
            preparation.prepare(directory);
            ProcessBuilder command = new ProcessBuilder(
                            CHROMIUM.toString(),
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--ignore-certificate-errors",
                            "--remote-debugging-port=0",
                            "--user-data-dir=" + directory.resolve("profile"),
                            "about:blank")
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile());
            command.environment().put("HOME", directory.toString());
            Process process = command.start();
            await("the browser")
                    .atMost(START)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !process.isAlive() || devTools(directory).isPresent());
            Browser browser =
                    new Browser(process, directory, devTools(directory).orElseThrow());
            browser.attach();
            return browser;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prepares the browser's home directory. */
    @FunctionalInterface
    private interface Preparation {
        void prepare(Path directory) throws IOException;
    }

    private static Optional<URI> devTools(Path directory) throws IOException {
        return Files.readString(directory.resolve("err"))
                .lines()
                .filter(line -> line.startsWith(LISTENING))
                .map(line -> URI.create(line.substring(LISTENING.length()).strip()))
                .findFirst();
    }

    private void attach() {
        JsonNode targets = call("Target.getTargets", JSON.createObjectNode());
        String page = "";
        for (JsonNode target : targets.path("targetInfos")) {
            if (target.path("type").asText().equals("page")) {
                page = target.path("targetId").asText();
            }
        }
        session = call("Target.attachToTarget", object("targetId", page).put("flatten", true))
                .path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
            call(domain + ".enable", JSON.createObjectNode());
        }
        // A headless page must be focused explicitly.
        call("Emulation.setFocusEmulationEnabled", JSON.createObjectNode().put("enabled", true));
    }

    /** Messages from the browser. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                try {
                    received(JSON.readTree(message));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void received(JsonNode message) {
        CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asInt(-1));
        if (answer != null) {
            if (message.has("error")) {
                answer.completeExceptionally(
                        new AssertionError(message.path("error").toString()));
            } else {
                answer.complete(message.path("result"));
            }
        }
        JsonNode parameters = message.path("params");
        switch (message.path("method").asText()) {
            case "Network.requestWillBeSent" ->
                requests.add(parameters.path("request").path("url").asText());
            case "Runtime.exceptionThrown" ->
                errors.add(parameters.path("exceptionDetails").toString());
            case "Log.entryAdded" -> recordError(parameters.path("entry"));
            default -> {}
        }
    }

    /** Expected error responses are not errors of the page. */
    private void recordError(JsonNode entry) {
        if (!entry.path("source").asText().equals("network")) {
            errors.add(entry.path("text").asText());
        }
    }

    static ObjectNode object(String name, String value) {
        return JSON.createObjectNode().put(name, value);
    }

    JsonNode call(String method, ObjectNode parameters) {
        int id = ids.incrementAndGet();
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(message.toString(), true).join();
        try {
            return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new AssertionError(method + ": " + e.getCause(), e);
        }
    }

    /** Runs a script before those of any page. */
    void before(String script) {
        call("Page.addScriptToEvaluateOnNewDocument", object("source", script));
    }

    void open(URI page) {
        call("Page.navigate", object("url", page.toString()));
    }

    void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
    }

    /** Sets the colour scheme to {@code light} or {@code dark}. */
    void prefers(String scheme) {
        ObjectNode media = JSON.createObjectNode();
        media.putArray("features")
                .add(object("name", "prefers-color-scheme").put("value", scheme))
                .add(object("name", "prefers-reduced-motion").put("value", "reduce"));
        call("Emulation.setEmulatedMedia", media);
    }

    /** Returns the value of an expression, which may be a promise. */
    JsonNode value(String expression) {
        JsonNode answer = call(
                "Runtime.evaluate",
                object("expression", expression).put("awaitPromise", true).put("returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(
                    expression + ": " + answer.path("exceptionDetails").toString());
        }
        return answer.path("result").path("value");
    }

    /** Waits until an expression is true. */
    void until(String expression) {
        await(expression)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(30))
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> value("Boolean(" + expression + ")").asBoolean());
    }

    /**
     * Replaces the content of the focused field, and waits until it is displayed: a busy browser drops input before the field is rendered,
     * and a subsequent key press might overtake it.
     */
    void type(String text) {
        String field = "document.activeElement.value";
        await(field)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(300))
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    if (!value(field).asText().equals(text)) {
                        value(field + " = ''");
                        call("Input.insertText", object("text", text));
                    }
                    return value(field).asText().equals(text);
                });
    }

    /** Presses a key, such as {@code Enter} or {@code ArrowDown}. */
    void press(String key) {
        int code = key.equals("Enter") ? 13 : 0;
        ObjectNode down =
                object("type", "keyDown").put("key", key).put("code", key).put("windowsVirtualKeyCode", code);
        if (key.equals("Enter")) {
            down.put("text", "\r");
        }
        call("Input.dispatchKeyEvent", down);
        call(
                "Input.dispatchKeyEvent",
                object("type", "keyUp").put("key", key).put("code", key).put("windowsVirtualKeyCode", code));
    }

    /** Returns a screenshot, as a PNG. */
    byte[] picture() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", object("format", "png"))
                        .path("data")
                        .asText());
    }

    /** Returns all requested URLs. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** Returns the errors in the page, including violations of its policy. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
        // Child processes outlive the browser for a moment and still write to the directory.
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        process.destroy();
        all.forEach(Browser::ended);
        Directories.delete(directory);
    }

    private static void ended(ProcessHandle process) {
        try {
            process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException late) {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
