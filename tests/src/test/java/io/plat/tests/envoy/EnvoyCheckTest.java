package io.plat.tests.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext.HttpRequest;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses to Envoy, received by gRPC's own client. */
class EnvoyCheckTest {
    private static TestPki pki;
    private static RunningServer decider;
    private static EnvoyCalls envoy;
    private static Path log;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("envoy").client("other");
        Path policy = Files.writeString(pki.directory().resolve("policy.jsonl"), """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","nonResourcePath":"/reports*","readonly":true}}
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"group":"editors","nonResourcePath":"/reports*"}}
            """);
        log = pki.directory().resolve("decisions.log");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--decision-log-path=" + log,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy,
                "--allowed-client-names=envoy",
                "--envoy-check"));
        decider = RunningServer.startReused(Program.DECIDER, flags);
        envoy = new EnvoyCalls(decider, pki, "envoy");
    }

    @AfterAll
    static void stop() {
        envoy.close();
        decider.close();
        pki.close();
    }

    @ParameterizedTest(name = "{0} {1} with {2}: {3}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        GET     | /reports/7                  | x-forwarded-user=alice                                   | passes
        GET     | /reports/7?page=2           | x-forwarded-user=alice                                   | passes
        GET     | /reports/a%20b              | x-forwarded-user=alice                                   | passes
        POST    | /reports/7                  | x-forwarded-user=alice                                   | 403
        OPTIONS | /reports/7                  | x-forwarded-user=alice                                   | 403
        GET     | /secrets                    | x-forwarded-user=alice                                   | 403
        DELETE  | /reports/7                  | x-forwarded-user=bob x-forwarded-groups=readers,editors  | passes
        DELETE  | /reports/7                  | x-forwarded-user=bob x-forwarded-groups=readers          | 403
        GET     | /reports/7                  | -                                                        | 401
        GET     | /reports/7                  | x-forwarded-user=                                        | 401
        GET     | /reports/7                  | X-Forwarded-User=alice                                   | passes
        GET     | /reports/7                  | x-remote-user=alice                                      | 401
        GET     | /reports/7                  | authorization=Bearer-alice                               | 401
        GET     | /reports/7                  | x-forwarded-user=alice,bob                               | 400
        GET     | /reports/../secrets         | x-forwarded-user=alice                                   | 400
        GET     | /reports/%2e%2e/secrets     | x-forwarded-user=alice                                   | 400
        GET     | /reports/..%2fsecrets       | x-forwarded-user=alice                                   | 400
        GET     | /reports/%252e%252e/secrets | x-forwarded-user=alice                                   | 400
        GET     | //reports/7                 | x-forwarded-user=alice                                   | 400
        GET     | /reports/7;v=1              | x-forwarded-user=alice                                   | 400
        GET     | /reports\\7                 | x-forwarded-user=alice                                   | 400
        GET     | /reports/%00                | x-forwarded-user=alice                                   | 400
        GET     | https://other/reports/7     | x-forwarded-user=alice                                   | 400
        GET     | reports/7                   | x-forwarded-user=alice                                   | 400
        OPTIONS | *                           | x-forwarded-user=alice                                   | 400
        get     | /reports/7                  | x-forwarded-user=alice                                   | 400
        GET     | /reports/7                  | x-forwarded-user=alice x-http-method-override=DELETE     | 400
        GET     | /reports/7                  | x-forwarded-user=alice x-original-url=/secrets           | 400
        GET     | /reports/7                  | x-forwarded-user=alice x_original_url=/secrets           | 400
        GET     | //reports/7                 | -                                                        | 400
        """)
    void decides(String method, String path, @Nullable String fields, String expected) {
        List<String> list = fields == null ? List.of() : List.of(fields.split(" "));
        assertThat(EnvoyCalls.outcome(envoy.check(EnvoyCalls.request(method, path, list))))
                .isEqualTo(expected);
        assertThat(EnvoyCalls.outcome(envoy.check(EnvoyCalls.rawRequest(method, path, list))))
                .as("with encode_raw_headers")
                .isEqualTo(expected);
    }

    /** Without raw headers Envoy sends one value for a name. */
    @Test
    void duplicatedIdentityIsAmbiguous() {
        CheckResponse response = envoy.check(EnvoyCalls.rawRequest(
                "GET", "/reports/7", List.of("x-forwarded-user=alice", "X-Forwarded-User=alice")));
        assertThat(EnvoyCalls.outcome(response)).isEqualTo("400");
        assertThat(response.getDeniedResponse().getBody()).contains("X-Forwarded-User is sent twice");
    }

    @Test
    void principalsAndBodiesAreIgnored() {
        CheckRequest.Builder message = EnvoyCalls.message(EnvoyCalls.request("GET", "/reports/7", List.of())
                        .setBody("x-forwarded-user: alice")
                        .setRawBody(ByteString.copyFrom(new byte[] {(byte) 0xff, 0})))
                .toBuilder();
        message.getAttributesBuilder().getSourceBuilder().setPrincipal("alice");
        message.getAttributesBuilder().putContextExtensions("x-forwarded-user", "alice");
        assertThat(EnvoyCalls.outcome(envoy.stub().check(message.build()))).isEqualTo("401");
    }

    @Test
    void responsesHaveReasons() {
        CheckResponse allowed = envoy.check(EnvoyCalls.request("GET", "/reports/7", List.of("x-forwarded-user=alice")));
        assertThat(allowed.getDynamicMetadata().getFieldsMap().keySet())
                .containsExactlyInAnyOrder("reason", "decision_id", "policy_revision");
        assertThat(allowed.getDynamicMetadata().getFieldsOrThrow("reason").getStringValue())
                .startsWith("ABAC: allowed by ");
        assertThat(allowed.getOkResponse().getHeadersList()).isEmpty();

        CheckResponse denied = envoy.check(EnvoyCalls.request("GET", "/secrets", List.of("x-forwarded-user=alice")));
        assertThat(denied.getStatus().getCode()).isEqualTo(Code.PERMISSION_DENIED.value());
        assertThat(denied.getDeniedResponse().getBody())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":"
                                + "\"No policy matched.\",\"reason\":\"Forbidden\",\"code\":403}");
        assertThat(EnvoyCalls.fields(denied.getDeniedResponse().getHeadersList()))
                .isEqualTo("X-Auth-Reason=No policy matched.\ncontent-type=application/json");
    }

    @Test
    void namesThatAreNotUtf8AreRefused() {
        HttpRequest.Builder request = EnvoyCalls.rawRequest("GET", "/reports/7", List.of("x-forwarded-user=alice"));
        HeaderValue.Builder user = request.getHeaderMapBuilder().getHeadersBuilder(2);
        user.setRawValue(user.getRawValue().concat(ByteString.copyFrom(new byte[] {(byte) 0xff})));
        assertThat(EnvoyCalls.outcome(envoy.check(request))).isEqualTo("400");
    }

    /** Envoy replaces such bytes in the path of the message, but not in that for the application. */
    @Test
    void pathThatIsNotUtf8IsRefused() {
        HttpRequest.Builder request = EnvoyCalls.rawRequest("GET", "/reports/7", List.of("x-forwarded-user=alice"));
        HeaderValue.Builder path = request.getHeaderMapBuilder().getHeadersBuilder(1);
        path.setRawValue(ByteString.copyFromUtf8("/reports/").concat(ByteString.copyFrom(new byte[] {(byte) 0xc0})));
        assertThat(EnvoyCalls.outcome(envoy.check(request))).isEqualTo("400");
    }

    @Test
    void reasonsNoneHidesReasons() throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysDeny", "--envoy-check", "--reasons=none"));
        try (RunningServer silent = RunningServer.startReused(Program.DECIDER, flags);
                EnvoyCalls calls = new EnvoyCalls(silent, pki, "envoy")) {
            CheckResponse denied = calls.check(EnvoyCalls.request("GET", "/a", List.of("x-forwarded-user=alice")));
            assertThat(EnvoyCalls.fields(denied.getDeniedResponse().getHeadersList()))
                    .isEqualTo("content-type=application/json");
            assertThat(denied.getDeniedResponse().getBody()).contains("\"message\":\"the request is not allowed\"");
            assertThat(denied.getDynamicMetadata().getFieldsOrThrow("reason").getStringValue())
                    .isEmpty();
        }
    }

    @Test
    void decisionsAreLoggedAndCounted() throws IOException {
        CheckResponse denied = envoy.check(EnvoyCalls.request("PUT", "/logged", List.of("x-forwarded-user=alice")));
        String id = denied.getDynamicMetadata().getFieldsOrThrow("decision_id").getStringValue();
        await().untilAsserted(() -> assertThat(Files.readString(log)).contains(id));
        assertThat(Files.readString(log).lines().filter(line -> line.contains(id)))
                .singleElement(STRING)
                .contains(
                        "\"client\":\"envoy\"",
                        "\"spec\":{\"nonResourceAttributes\":{\"path\":\"/logged\",\"verb\":\"put\"},\"user\":\"alice\"",
                        "\"allowed\":false");
        try (HttpsClient client = HttpsClient.of(pki, "envoy")) {
            assertThat(client.get(decider.at("/metrics")).body())
                    .containsPattern("apiserver_authorization_decisions_total\\{[^}]*denied[^}]*} [1-9]");
        }
    }

    @Test
    void disallowedClientIsRefused() throws IOException {
        try (EnvoyCalls other = new EnvoyCalls(decider, pki, "other")) {
            assertThatExceptionOfType(StatusRuntimeException.class)
                    .isThrownBy(() -> other.check(EnvoyCalls.request("GET", "/reports/7", List.of())))
                    .extracting(StatusRuntimeException::getStatus)
                    .returns(Code.PERMISSION_DENIED, Status::getCode)
                    .returns("client \"other\" is not allowed to use this decider", Status::getDescription);
        }
    }

    @Test
    void undecidedRequestFailsTheCall() throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=Webhook", "--envoy-check"));
        flags.add("--authorization-webhook-config-file="
                + ClientFiles.write(pki, "nobody.conf", URI.create("https://127.0.0.1:1/"), "envoy"));
        try (RunningServer undecided = RunningServer.startReused(Program.DECIDER, flags);
                EnvoyCalls calls = new EnvoyCalls(undecided, pki, "envoy")) {
            assertThatExceptionOfType(StatusRuntimeException.class)
                    .isThrownBy(() ->
                            calls.check(EnvoyCalls.request("GET", "/reports/7", List.of("x-forwarded-user=alice"))))
                    .extracting(failure -> failure.getStatus().getCode())
                    .isEqualTo(Code.INTERNAL);
        }
    }

    @Test
    void callsShareTheLimitOfReviews() throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0", "--authorization-mode=AlwaysAllow", "--envoy-check", "--max-requests-inflight=1"));
        HttpRequest.Builder request = EnvoyCalls.request("GET", "/a", List.of("x-forwarded-user=alice"));
        try (RunningServer busy = RunningServer.startReused(Program.DECIDER, flags);
                EnvoyCalls calls = new EnvoyCalls(busy, pki, "envoy");
                TlsConnection slow = TlsConnection.to(pki.tls("envoy"), busy.port())) {
            assertThat(EnvoyCalls.outcome(calls.check(request))).isEqualTo("passes");
            slow.send("POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
            await().untilAsserted(() -> assertThatExceptionOfType(StatusRuntimeException.class)
                    .isThrownBy(() -> calls.check(request))
                    .withMessageContaining("too many requests in flight"));
        }
    }

    @Test
    void manyCallsShareAConnection() throws Exception {
        // Exceeds the limit on control frames per second and connection.
        List<ListenableFuture<CheckResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            answers.add(AuthorizationGrpc.newFutureStub(envoy.channel())
                    .check(EnvoyCalls.message(
                            EnvoyCalls.request("GET", "/reports/" + i, List.of("x-forwarded-user=alice")))));
        }
        for (ListenableFuture<CheckResponse> answer : answers) {
            assertThat(EnvoyCalls.outcome(answer.get())).isEqualTo("passes");
        }
    }
}
