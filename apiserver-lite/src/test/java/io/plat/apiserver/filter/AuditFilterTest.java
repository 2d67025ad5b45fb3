package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.AuditRecord;
import io.plat.apiserver.audit.TestingBackend;
import io.plat.engine.FixedGrant;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditFilterTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of("dev"));
    private static final Status UNAUTHORIZED = Status.of(StatusReason.UNAUTHORIZED, "Unauthorized");

    private final TestingBackend backend = new TestingBackend();

    @TempDir
    Path directory = Path.of("");

    private Audit audit(String rule) throws Exception {
        return backend.audit(directory, "rules: [{" + rule + "}]", true);
    }

    @Test
    void filterResultsAreRecorded() throws Exception {
        TestingIncoming incoming = TestingIncoming.of("GET", "/api/v1/namespaces/ns/pods/a?pretty=1")
                .header("User-Agent", "test")
                .header("X-Forwarded-For", "198.51.100.1");
        try (Audit audit = audit("level: Metadata")) {
            Call call = incoming.by(ALICE);
            AuditFilter filter = new AuditFilter(audit, TestingBackend.CLOCK);
            assertThat(filter.admitWithoutBlocking(call))
                    .as("it waits for the log")
                    .isFalse();
            filter.admit(call);
            call.impersonate(new UserInfo("bob", List.of()));
            new AuthorizationFilter(attributes -> FixedGrant.allow("ABAC", "line", "by a line")).admit(call);
            incoming.complete();
        }
        assertThat(backend.lines()).hasSize(2);
        assertThat(backend.lines().getFirst())
                .contains(
                        "\"requestURI\":\"/api/v1/namespaces/ns/pods/a?pretty=1\",\"verb\":\"get\",\"user\":{\"username\":\"alice\",\"groups\":[\"dev\"]},\"sourceIPs\":[\"198.51.100.1\",\"192.0.2.7\"],\"userAgent\":\"test\"",
                        "\"requestReceivedTimestamp\":\"2026-11-21T18:01:17.121456Z\",\"stageTimestamp\":\"2026-11-21T18:01:17.123456Z\"");
        assertThat(backend.lines().getLast())
                .contains(
                        "\"impersonatedUser\":{\"username\":\"bob\"}", "\"authorization.k8s.io/reason\":\"by a line\"");
    }

    @Test
    void unauditedRequestHasNoRecord() throws Exception {
        try (Audit audit = audit("level: None")) {
            Call call = TestingIncoming.of("GET", "/version").by(ALICE);
            new AuditFilter(audit, TestingBackend.CLOCK).admit(call);
            assertThat(call.auditRecord()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /version                      | Bearer s3cret     | bearer
        /version                      | bearer  s3cret    | bearer
        /version                      | Basic s3cret      | basic
        /version                      | Negotiate s3cret  | none
        /version                      |                   | none
        /version?access_token=s3cret  | Bearer s3cret     | bearer, access_token
        /version?a=b&access_token=s3cret |                | access_token
        """)
    void rejectedCredentialIsRecordedByItsType(String target, @Nullable String authorization, String notified)
            throws Exception {
        TestingIncoming incoming = TestingIncoming.of("GET", target);
        if (authorization != null) {
            incoming.header("Authorization", authorization);
        }
        Filter refuses = call -> {
            throw new StatusException(UNAUTHORIZED);
        };
        try (Audit audit = audit("level: Metadata")) {
            Call call = new Call(incoming);
            FilterChain filters =
                    new FilterChain(List.of(Call::parseTarget, refuses), new AuditFilter(audit, TestingBackend.CLOCK));
            assertThatThrownBy(() -> filters.admitRemaining(call)).hasMessage("Unauthorized");
            await().until(() -> backend.lines().size() == 1);
        }
        assertThat(backend.lines().getFirst())
                .contains(
                        "\"user\":{}",
                        "\"message\":\"Unauthorized\"",
                        "\"code\":401",
                        "{\"authentication.plat.io/attempted\":\"" + notified + "\"}")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /api/v1/pods?watch=1, 3",
        "GET,  /api/v1/watch/pods, 3",
        "GET,  /api/v1/proxy/namespaces/ns/pods/a, 3",
        "GET,  /api/v1/namespaces/ns/pods/a/log, 3",
        "POST, /api/v1/namespaces/ns/pods/a/exec, 3",
        "GET,  /api/v1/namespaces/ns/pods/a/attach, 3",
        "GET,  /api/v1/namespaces/ns/pods/a/portforward, 3",
        "GET,  /api/v1/namespaces/ns/services/a/proxy/x, 3",
        "GET,  /debug/recording, 3",
        "GET,  /debug, 2",
        "GET,  /api/v1/namespaces/ns/pods/a/status, 2",
        "GET,  /api/v1/pods, 2",
        "POST, /api/v1/namespaces/ns/pods, 2",
    })
    void streamingRequestIsRecordedAtItsStart(String method, String target, int stages) throws Exception {
        try (Audit audit = audit("level: Metadata")) {
            Call call = TestingIncoming.of(method, target).by(ALICE);
            new AuditFilter(audit, TestingBackend.CLOCK).admit(call);
            AuditRecord audited = Objects.requireNonNull(call.auditRecord());
            audited.responseStarted(200);
            audited.complete();
        }
        assertThat(backend.lines()).hasSize(stages);
    }

    @Test
    void ambiguousPathIsRecordedAsSent() throws Exception {
        try (Audit audit = audit("level: Metadata")) {
            Call call = new Call(TestingIncoming.of("GET", "/api/v1/../x?a=b"));
            FilterChain filters =
                    new FilterChain(List.of(Call::parseTarget), new AuditFilter(audit, TestingBackend.CLOCK));
            assertThatThrownBy(() -> filters.admitWithoutBlocking(call)).isInstanceOf(StatusException.class);
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains("\"requestURI\":\"/api/v1/../x?a=b\",\"verb\":\"get\",\"user\":{},", "\"code\":400");
    }

    @Test
    void unrecordableRequestIsNotForwarded() throws Exception {
        backend.full(true);
        try (Audit audit = audit("level: Metadata")) {
            Call call = TestingIncoming.of("GET", "/version").by(ALICE);
            assertThatThrownBy(() -> new AuditFilter(audit, TestingBackend.CLOCK).admit(call))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            refused -> assertThat(refused.status().code()).isEqualTo(500));
            assertThat(call.auditRecord()).isNull();
        }
    }
}
