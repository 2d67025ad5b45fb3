package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Handling of servers' responses: only a review is a result, and nothing in it reaches the terminal but text. */
final class AnswersTest {
    private static final String V1 = "\"apiVersion\":\"authorization.k8s.io/v1\"";
    private static final String SELF = "{\"kind\":\"SelfSubjectAccessReview\"," + V1 + ",";
    private static final String ME = "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",";

    @TempDir
    private static Path directory = Path.of("");

    private static AnsweringServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new AnsweringServer(directory);
        write("SelfSubjectAccessReview", "authorization.k8s.io/v1");
        write("SubjectAccessReview", "authorization.k8s.io/v1");
        write("LocalSubjectAccessReview", "authorization.k8s.io/v1");
        write("SubjectAccessReview", "authorization.k8s.io/v9");
        write("SelfSubjectRulesReview", "authorization.k8s.io/v1");
        write("AccessExplanation", "authorization.plat.io/v1beta1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void write(String kind, String apiVersion) throws Exception {
        Files.writeString(
                directory.resolve(kind + "-" + apiVersion.substring(apiVersion.indexOf('/') + 1)),
                "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion
                        + "\",\"spec\":{\"resourceAttributes\":{\"namespace\":\"a\"}}}");
    }

    private static CommandRun review(String body, String file, String... more) {
        return server.answering(
                201,
                body,
                Stream.concat(Stream.of("review", "-f", directory + "/" + file), Stream.of(more))
                        .toArray(String[]::new));
    }

    static List<String> noReviews() {
        return List.of(
                "",
                "{}",
                "[]",
                "null",
                "\"yes\"",
                "<html>",
                "{",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\",\"code\":200}",
                SELF + "\"status\":{\"allowed\":\"no\"}}",
                SELF + "\"status\":{\"allowed\":\"true\"}}",
                SELF + "\"status\":{\"allowed\":1}}",
                SELF + "\"status\":{\"allowed\":null}}",
                SELF + "\"status\":{\"allowed\":[true]}}",
                SELF + "\"status\":{}}",
                SELF + "\"status\":true}",
                SELF + "\"status\":null}",
                SELF + "\"status\":{\"allowed\":true,\"allowed\":true}}",
                SELF + "\"status\":{\"allowed\":true,\"denied\":true}}",
                SELF + "\"status\":{\"allowed\":true},\"status\":{\"allowed\":true}}",
                SELF + "\"status\":{\"allowed\":true}} {}",
                SELF.replace("Self", "") + "\"status\":{\"allowed\":true}}",
                SELF.replace("/v1", "/v1beta1") + "\"status\":{\"allowed\":true}}",
                SELF.replace("\"kind\"", "\"Kind\"") + "\"status\":{\"allowed\":true}}",
                "{\"status\":{\"allowed\":true}}",
                "[".repeat(5000));
    }

    @ParameterizedTest
    @MethodSource("noReviews")
    void responseThatIsNoReviewIsUndetermined(String body) {
        assertNoReview(server.answering(201, body, "can-i", "get", "pods"));
        assertNoReview(server.answering(201, body, "can-i", "get", "pods", "-o", "json"));
        for (String format : List.of("text", "json", "yaml")) {
            assertNoReview(review(body, "SelfSubjectAccessReview-v1", "-o", format));
            assertNoReview(server.answering(201, body, "whoami", "-o", format));
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            SubjectAccessReview-v1      | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":"no"}}
            LocalSubjectAccessReview-v1 | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}
            LocalSubjectAccessReview-v1 | {"kind":"LocalSubjectAccessReview","apiVersion":"authorization.k8s.io/v1"}
            SubjectAccessReview-v9      | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v9","status":{}}
            SubjectAccessReview-v9      | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}
            SelfSubjectRulesReview-v1   | {"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}
            SelfSubjectRulesReview-v1   | {"kind":"SelfSubjectRulesReview","apiVersion":"v1","status":{}}
            SelfSubjectRulesReview-v1   | {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1"}
            SelfSubjectRulesReview-v1   | {"kind":7,"apiVersion":"authorization.k8s.io/v1","status":{}}
            SelfSubjectRulesReview-v1   | {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":[]}
            AccessExplanation-v1beta1   | {"kind":"AccessExplanation","apiVersion":"authorization.plat.io/v1beta1","status":{"allowed":"yes"}}
            """)
    void responseOfAnotherKindIsUndetermined(String posted, String body) {
        assertNoReview(review(body, posted));
    }

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            SelfSubjectAccessReview-v1  | {"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}   | 0
            SelfSubjectAccessReview-v1  | {"status":{"more":{},"allowed":false},"spec":{},"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview"} | 1
            LocalSubjectAccessReview-v1 | {"kind":"LocalSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":false}} | 1
            SubjectAccessReview-v9      | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v9","status":{"allowed":false}}      | 1
            SelfSubjectRulesReview-v1   | {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"incomplete":false}} | 0
            AccessExplanation-v1beta1   | {"kind":"AccessExplanation","apiVersion":"authorization.plat.io/v1beta1","status":{"allowed":false}}  | 1
            """)
    void reviewIsPrintedAndItsStatusIsTheExitStatus(String posted, String body, int status) {
        CommandRun run = review(body, posted);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
        assertThat(run.out().replaceAll("[ \n]", "")).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "status":{}}
            "status":{"userInfo":{}}}
            "status":{"userInfo":[]}}
            "status":{"userInfo":{"username":7}}}
            "status":{"userInfo":{"username":""}}}
            "status":{"userInfo":{"username":"me","groups":"a"}}}
            "status":{"userInfo":{"username":"me","groups":[["a"]]}}}
            "status":{"userInfo":{"username":"me","groups":[null]}}}
            "status":{"userInfo":{"username":"me","uid":{}}}}
            "status":{"userInfo":{"username":"me","extra":{"a":"b"}}}}
            "status":{"userInfo":{"username":"me","extra":["b"]}}}
            "status":{"userInfo":{"username":"me","username":"you"}}}
            "status":{"userInfo":{"username":"me"}}} x
            """)
    void missingUserIsUndetermined(String rest) {
        for (String format : List.of("text", "json", "yaml")) {
            assertNoReview(server.answering(201, ME + rest, "whoami", "-o", format));
        }
    }

    @Test
    void whoamiPrintsATable() {
        CommandRun run = server.answering(
                201,
                ME
                        + "\"status\":{\"userInfo\":{\"extra\":{\"b\":[\"1\",\"2\"],\"a\":[]},\"groups\":[\"x\",\"y z\"],\"uid\":\"7\","
                        + "\"username\":\"me\",\"more\":{}}},\"spec\":{}}",
                "whoami");
        assertThat(run).isEqualTo(new CommandRun(0, """
                ATTRIBUTE   VALUE
                Username    me
                UID         7
                Groups      [x y z]
                Extra: a    []
                Extra: b    [1 2]
                """, ""));
    }

    @Test
    void reasonIsPrintedOnOneLine() {
        CommandRun run = server.answering(
                201,
                SELF + "\"status\":{\"allowed\":false,\"reason\":\"\\u001b[2Jno\\nyes\\u009b31m\\u2028\\u202e\\r!\","
                        + "\"evaluationError\":\"a\\nyes\\u001b[1m\"}}",
                "can-i",
                "get",
                "pods");
        assertThat(run).isEqualTo(new CommandRun(1, "no - \\u001b[2Jno yes\\u009b31m \\u202e !\n", """
                        warning: the server could not evaluate everything: a yes\\u001b[1m
                        note: checked in namespace "default"; -n names another one
                        """));
        assertThat(server.answering(
                                201,
                                SELF + "\"status\":{\"allowed\":false,\"reason\":\"" + "x".repeat(5000) + "\"}}",
                                "can-i",
                                "get",
                                "pods")
                        .out())
                .isEqualTo("no - " + "x".repeat(1024) + "…\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","message":"a\\u001b[2J\\nyes","reason":"Forbidden","code":403} | 403 Forbidden: a\\u001b[2J yes
            {"kind":"Status","apiVersion":"v1","status":"Failure","message":"","reason":"\\u001b","code":500}      | 500 InternalError:
            oops\\u001b[2J                                                                                       | 500 oops\\u001b[2J
            """)
    void refusalIsUndetermined(String body, String message) {
        CommandRun run = server.answering(Integer.parseInt(message.substring(0, 3)), body, "can-i", "get", "pods");
        assertThat(run)
                .isEqualTo(new CommandRun(3, "", "plat: error from server " + server.url() + ": " + message + "\n"));
    }

    @Test
    void failureWithoutAStatusIsOneLine() {
        CommandRun run = server.answering(502, "a\u001b[2J\n\u009byes\u2028" + "x".repeat(500), "whoami");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err())
                .isEqualTo("plat: error from server " + server.url() + ": 502 a\\u001b[2J \\u009byes " + "x".repeat(189)
                        + "\n");
    }

    @Test
    void namesAreSanitized() {
        CommandRun run = server.answering(
                201,
                ME + "\"status\":{\"userInfo\":{\"username\":\"a\\u001b[2J\\nUsername b\",\"groups\":[\"x\\ny\"],"
                        + "\"extra\":{\"k\\n\":[\"\\u0007\"]}}}}",
                "whoami");
        assertThat(run.out())
                .isEqualTo(
                        "ATTRIBUTE      VALUE\nUsername       \"a\\u001b[2J\\nUsername b\"\nGroups         [\"x\\ny\"]\nExtra: \"k\\n\"   [\"\\u0007\"]\n");
    }

    @Test
    void documentsEscapeControlCharacters() {
        String body = SELF + "\"status\":{\"allowed\":true,\"reason\":\"\\u001b\\u007f\\u009b\\u2028é😀\"}}";
        for (String[] arguments : List.of(
                new String[] {"can-i", "get", "pods"},
                new String[] {"review", "-f", directory + "/SelfSubjectAccessReview-v1"})) {
            String json = server.answering(
                            201,
                            body,
                            Stream.concat(Stream.of(arguments), Stream.of("-o", "json"))
                                    .toArray(String[]::new))
                    .out();
            assertThat(json).contains("\"\\u001B\\u007F\\u009B\\u2028é😀\"");
            String yaml = server.answering(
                            201,
                            body,
                            Stream.concat(Stream.of(arguments), Stream.of("-o", "yaml"))
                                    .toArray(String[]::new))
                    .out();
            assertThat(yaml).doesNotContain("\u001b", "\u007f", "\u009b", "\u2028");
        }
    }

    private static void assertNoReview(CommandRun run) {
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        assertThat(run.err())
                .startsWith("plat: " + server.url() + " did not respond with a review: ")
                .hasLineCount(1)
                .doesNotContain("Stream", "Feature", "[Source", "Exception", "Jackson");
    }
}
