package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An API server that can be stopped and restarted on the same data with other flags. */
final class RestartableServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestPki pki = TestPki.create().client("admin", "system:masters");
    private final HttpsClient client = HttpsClient.of(pki, "admin");
    private final Path data;
    private RunningServer process;

    private RestartableServer(List<String> flags) throws IOException {
        data = Files.createTempDirectory("plat-kept");
        process = launch(flags);
    }

    static RestartableServer start(String... flags) {
        try {
            return new RestartableServer(List.of(flags));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RunningServer launch(List<String> more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        flags.addAll(more);
        return RunningServer.startReused(Program.APISERVER_LITE, flags);
    }

    /** Restarts the server. */
    void again(String... flags) {
        process.close();
        process = launch(List.of(flags));
    }

    int port() {
        return process.port();
    }

    HttpResponse<String> request(String method, String path, @Nullable String body) {
        try {
            return client.send(method, process.at(path), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the status code of a GET. */
    int code(String path) {
        return request("GET", path, null).statusCode();
    }

    JsonNode get(String path) {
        return send("GET", path, null);
    }

    /** Returns the response to a request that must succeed. */
    JsonNode send(String method, String path, @Nullable String body) {
        return succeeded(request(method, path, body));
    }

    JsonNode merge(String path, String patch) {
        try {
            return succeeded(client.send("PATCH", process.at(path), "application/merge-patch+json", patch));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode succeeded(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return read(answer.body());
    }

    /** Parses JSON. */
    static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        client.close();
        process.close();
        Directories.delete(data);
        pki.close();
    }
}
