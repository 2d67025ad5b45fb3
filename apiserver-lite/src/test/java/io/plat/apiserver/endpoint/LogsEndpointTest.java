package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.filter.TestingIncoming;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only files of one directory are served. */
class LogsEndpointTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of());

    @TempDir
    Path outside = Path.of("");

    private Path logs = Path.of("");
    private LogsEndpoint endpoint = new LogsEndpoint(new LogDirectory(Path.of("")));

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectory(outside.resolve("logs-of-others"));
        Files.writeString(outside.resolve("logs-of-others").resolve("x"), "secret");
        logs = Files.createDirectory(outside.resolve("logs"));
        Files.writeString(logs.resolve("a.log"), "0123456789");
        Files.writeString(logs.resolve("full.log.gz"), "no text");
        Files.writeString(logs.resolve("empty"), "");
        Files.createDirectory(logs.resolve("old"));
        Files.writeString(logs.resolve("old").resolve("<b>?#%41 \".log"), "older");
        Files.createSymbolicLink(logs.resolve("out"), outside.resolve("secret"));
        Files.createSymbolicLink(logs.resolve("beside"), Path.of("../logs-of-others"));
        Files.createSymbolicLink(logs.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(logs.resolve("broken"), Path.of("nowhere"));
        Files.createSymbolicLink(logs.resolve("circle"), Path.of("circle"));
        Files.createSymbolicLink(logs.resolve("in"), logs.resolve("a.log"));
        Files.createSymbolicLink(logs.resolve("relative"), Path.of("old/../a.log"));
        Files.createSymbolicLink(logs.resolve("older"), Path.of("old"));
        endpoint = new LogsEndpoint(new LogDirectory(logs));
    }

    private ApiResponse get(String target, String... headers) throws StatusException {
        TestingIncoming incoming = TestingIncoming.of("GET", target);
        for (int i = 0; i < headers.length; i += 2) {
            incoming.header(headers[i], headers[i + 1]);
        }
        return endpoint.answer(incoming.by(ALICE));
    }

    private static String text(ApiResponse answer) {
        return new String(answer.body().bytes(), UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "/logs/a.log, 0123456789",
        "/logs/a.log/, 0123456789",
        "/logs/in, 0123456789",
        "/logs/relative, 0123456789",
        "/logs/empty, ''",
        "/logs/old/%3Cb%3E%3F%23%41%20%22.log, none",
    })
    void filesAreShownAsText(String target, String content) throws StatusException {
        if (content.equals("none")) {
            assertThatThrownBy(() -> get(target)).isInstanceOf(StatusException.class);
            return;
        }
        ApiResponse answer = get(target);
        assertThat(answer.code()).isEqualTo(200);
        assertThat(text(answer)).isEqualTo(content);
        assertThat(answer.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(answer.headers())
                .containsEntry("Accept-Ranges", List.of("bytes"))
                .containsKey("Last-Modified");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/logs/out",
                "/logs/up",
                "/logs/up/secret",
                "/logs/up/logs-of-others/x",
                "/logs/beside",
                "/logs/beside/x",
                "/logs/broken",
                "/logs/circle",
                "/logs/none",
                "/logs/a.log/x",
                "/logs/old/none",
                "/logs/~root",
            })
    void otherPathsAreNotFound(String target) {
        assertThatThrownBy(() -> get(target))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        absent -> assertThat(absent.status().code()).isEqualTo(404));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/logs/../secret",
                "/logs/%2e%2e/secret",
                "/logs/..%2fsecret",
                "/logs/old/../../secret",
                "/logs//etc/passwd",
                "/logs/%2fetc%2fpasswd",
                "/logs/%00",
                "/logs/..%5csecret",
                "/logs/%252e%252e/secret",
                "/logs/./a.log",
            })
    void ambiguousTargetIsRefused(String target) {
        assertThatThrownBy(() -> get(target))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(400));
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=2-4, 206, 234, bytes 2-4/10",
        "bytes=-2,  206, 89,  bytes 8-9/10",
        "bytes=8-,  206, 89,  bytes 8-9/10",
        "bytes=10-, 416, '416 range not satisfiable', bytes */10",
    })
    void rangeIsSent(String range, int code, String content, String part) throws StatusException {
        ApiResponse answer = get("/logs/a.log", "Range", range);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(text(answer).strip()).isEqualTo(content);
        assertThat(answer.headers()).containsEntry("Content-Range", List.of(part));
    }

    @Test
    void rangeOfAChangedFileIsNotSent() throws StatusException {
        String modified = get("/logs/a.log")
                .headers()
                .getOrDefault("Last-Modified", List.of(""))
                .getFirst();
        assertThat(get("/logs/a.log", "Range", "bytes=1-2", "If-Range", modified)
                        .code())
                .isEqualTo(206);
        assertThat(get("/logs/a.log", "Range", "bytes=1-2", "If-Range", "\"tag\"")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void directoryIsListed() throws StatusException {
        String page = text(get("/logs/"));
        assertThat(page)
                .contains("<a href=\"/logs/a.log\">a.log</a>", "<a href=\"/logs/old/\">old/</a>")
                .doesNotContain("secret");
        assertThat(text(get("/logs"))).isEqualTo(page);
        assertThat(text(get("/logs/old")))
                .contains("<a href=\"/logs/old/%3Cb%3E%3F%23%2541%20%22.log\">&lt;b&gt;?#%41 &quot;.log</a>")
                .doesNotContain("<b>");
        assertThat(text(get("/logs/older/"))).contains("&lt;b&gt;");
    }

    @Test
    void compressedFileHasItsContentType() throws StatusException {
        assertThat(get("/logs/full.log.gz").contentType()).isEqualTo("application/gzip");
    }

    /** For a file that is rewritten: the present content is sent, without waiting for more. */
    @Test
    void truncatedFileEndsEarly() throws Exception {
        ApiResponse answer = get("/logs/a.log");
        Files.writeString(logs.resolve("a.log"), "012");
        assertThat(text(answer)).isEqualTo("012");
        Files.writeString(logs.resolve("a.log"), "0123456789 and more");
        assertThat(text(answer)).isEqualTo("0123456789");
    }

    /** A file that is replaced after its lookup must not lead outside. */
    @Test
    void fileReplacedByALinkIsNotRead() throws Exception {
        ApiResponse file = get("/logs/a.log");
        Files.delete(logs.resolve("a.log"));
        Files.createSymbolicLink(logs.resolve("a.log"), outside.resolve("secret"));
        assertThatThrownBy(() -> file.body().bytes()).hasRootCauseInstanceOf(IOException.class);
        Files.writeString(logs.resolve("old").resolve("x"), "x");
        ApiResponse below = get("/logs/old/x");
        Files.move(logs.resolve("old"), logs.resolve("moved"));
        Files.createSymbolicLink(logs.resolve("old"), outside.resolve("logs-of-others"));
        assertThatThrownBy(() -> below.body().bytes()).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void pipeDoesNotBlock() throws Exception {
        Process created = new ProcessBuilder("mkfifo", logs.resolve("pipe").toString()).start();
        Assumptions.assumeTrue(created.waitFor() == 0, "no pipes here");
        assertThatThrownBy(() -> get("/logs/pipe")).isInstanceOf(StatusException.class);
        assertThat(text(get("/logs"))).contains("pipe");
    }

    @Test
    void directoryMayBeALink() throws Exception {
        Path link = Files.createSymbolicLink(outside.resolve("link"), logs);
        endpoint = new LogsEndpoint(new LogDirectory(link));
        assertThat(text(get("/logs/a.log"))).isEqualTo("0123456789");
        assertThatThrownBy(() -> get("/logs/out")).isInstanceOf(StatusException.class);
    }

    @Test
    void longListingIsBounded() throws Exception {
        for (int i = 0; i < LogDirectory.MAX_LISTED; i++) {
            Files.createFile(logs.resolve("old").resolve("f" + i));
        }
        assertThat(text(get("/logs/old"))).contains("There are more than 10000");
    }
}
