package io.plat.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a request and its events, with Kubernetes' fields and order. */
class AuditRecordTest {
    private static final UserInfo ALICE = new UserInfo(
            "alice", "7", List.of("dev", "system:authenticated"), Map.of("b", List.of("2"), "a", List.of("1")));
    private static final AccessAttributes CREATE =
            new ResourceAttributes("ns", "create", "", "v1", "configmaps", "", "");
    private static final String HEAD = "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"";
    private static final String TIMES =
            "\"requestReceivedTimestamp\":\"2026-11-21T18:01:17.121000Z\",\"stageTimestamp\":\"2026-11-21T18:01:17.123456Z\"";

    private final TestingBackend backend = new TestingBackend();

    @TempDir
    Path directory = Path.of("");

    private Audit audit(String rules) throws Exception {
        return backend.audit(directory, rules, true);
    }

    private static AuditedRequest request(AccessAttributes access, String uri, @Nullable UserInfo user) {
        return new AuditedRequest(
                "id-1",
                Instant.parse("2026-11-21T18:01:17.121Z"),
                uri,
                access,
                user,
                List.of("198.51.100.1", "192.0.2.7"),
                "kubectl/v1.32");
    }

    private static AuditRecord begin(Audit audit, AccessAttributes access) throws StatusException {
        return Objects.requireNonNull(audit.begin(request(access, "/api/v1/namespaces/ns/configmaps", ALICE)));
    }

    private static void responseObject(AuditRecord audited, byte[] json) {
        audited.responseObject(json.length, out -> out.write(json));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void writeIsRecordedFromRequestReceivedToResponseComplete() throws Exception {
        try (Audit audit = audit("rules: [{level: RequestResponse}]")) {
            AuditRecord audited = begin(audit, CREATE);
            audited.impersonated(new UserInfo("bob", List.of()));
            audited.decided(() -> FixedGrant.allow("RBAC", "binding", "allowed by a binding"));
            audited.requestObject(bytes("{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"},\"data\":{\"k\":\"v\"}}"));
            responseObject(audited, bytes("{\"kind\":\"ConfigMap\"}"));
            audited.responseStarted(201);
            audited.complete();
            audited.end();
            audited.panicked(new IllegalStateException());
        }
        String user =
                "\"user\":{\"username\":\"alice\",\"uid\":\"7\",\"groups\":[\"dev\",\"system:authenticated\"],\"extra\":{\"a\":[\"1\"],\"b\":[\"2\"]}},";
        String requestAndUser = "\"requestURI\":\"/api/v1/namespaces/ns/configmaps\",\"verb\":\"create\"," + user;
        String by = "\"sourceIPs\":[\"198.51.100.1\",\"192.0.2.7\"],\"userAgent\":\"kubectl/v1.32\",";
        assertThat(backend.lines())
                .containsExactly(
                        HEAD + "RequestResponse\",\"auditID\":\"id-1\",\"stage\":\"RequestReceived\"," + requestAndUser
                                + by
                                + "\"objectRef\":{\"resource\":\"configmaps\",\"namespace\":\"ns\",\"apiVersion\":\"v1\"},"
                                + TIMES + "}",
                        HEAD + "RequestResponse\",\"auditID\":\"id-1\",\"stage\":\"ResponseComplete\"," + requestAndUser
                                + "\"impersonatedUser\":{\"username\":\"bob\"}," + by
                                + "\"objectRef\":{\"resource\":\"configmaps\",\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"u\",\"apiVersion\":\"v1\"},"
                                + "\"responseStatus\":{\"metadata\":{},\"code\":201},"
                                + "\"requestObject\":{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"},\"data\":{\"k\":\"v\"}},"
                                + "\"responseObject\":{\"kind\":\"ConfigMap\"}," + TIMES
                                + ",\"annotations\":{\"authorization.k8s.io/decision\":\"allow\",\"authorization.k8s.io/reason\":\"allowed"
                                + " by a binding\","
                                + "\"authorization.plat.io/authorizer\":\"RBAC\",\"authorization.plat.io/policy-revision\":\"r1\"}}");
        assertThat(backend.registry.counter("apiserver.audit.event").count()).isEqualTo(2);
        assertThat(backend.registry
                        .counter("apiserver.audit.level", "level", "RequestResponse")
                        .count())
                .isEqualTo(1);
    }

    /** The policy changes during the decision: the event names the revision of the decision. */
    @Test
    void decisionNamesItsPolicyRevision() throws Exception {
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            Decision decision = audited.decided(() -> {
                PolicyRevision before = backend.revision.getAndSet(new PolicyRevision("r1", 8));
                return new Decision.NoOpinion("by " + before.text());
            });
            assertThat(decision).isEqualTo(new Decision.NoOpinion("by r1+roles-8"));
            audited.responseStarted(403);
            audited.complete();
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"authorization.k8s.io/reason\":\"by r1+roles-8\"",
                        "\"authorization.plat.io/policy-revision\":\"r1+roles-8\"");
    }

    /** A constantly changing policy must not block. */
    @Test
    void constantlyChangingPolicyStillDecides() throws Exception {
        try (Audit audit = audit("rules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            Decision decision = audited.decided(() -> {
                PolicyRevision now = backend.revision.updateAndGet(old -> new PolicyRevision("", old.roles() + 1));
                return new Decision.NoOpinion(now.text());
            });
            assertThat(decision).isEqualTo(new Decision.NoOpinion("roles-4"));
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 0, ''", "f-1, 0, f-1", "'', 7, roles-7", "f-1, 7, f-1+roles-7"})
    void revisionHasAName(String files, long roles, String name) {
        assertThat(new PolicyRevision(files, roles).text()).isEqualTo(name);
    }

    @Test
    void denialIsRecordedWithItsReason() throws Exception {
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            audited.decided(() -> new Decision.NoOpinion("no rule"));
            responseObject(audited, bytes("{\"kind\":\"Status\"}"));
            audited.failed(Status.of(StatusReason.FORBIDDEN, "no").withDetails(Details.about("", "configmaps", "")));
            audited.complete();
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"responseStatus\":{\"metadata\":{},\"status\":\"Failure\",\"message\":\"no\",\"reason\":\"Forbidden\",\"details\":{\"kind\":\"configmaps\"},\"code\":403},\"requestReceived",
                        "\"annotations\":{\"authorization.k8s.io/decision\":\"forbid\",\"authorization.k8s.io/reason\":\"no"
                                + " rule\",\"authorization.plat.io/authorizer\":\"Union\"");
    }

    @Test
    void metadataLevelNamesTheObjectWithoutItsContent() throws Exception {
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            assertThat(audited.wantsResponse()).isFalse();
            audited.requestObject(bytes("{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"secret\"}}"));
            audited.responseStarted(201);
            audited.complete();
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains("\"name\":\"a\"")
                .doesNotContain("secret", "Object\":");
    }

    @Test
    void oversizedAndNonJsonBodiesAreOmittedWithAnAnnotation() throws Exception {
        byte[] large = bytes("[\"" + "x".repeat(Audit.MAX_OBJECT_BYTES) + "\"]");
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: RequestResponse}]")) {
            AuditRecord audited = begin(audit, CREATE);
            audited.requestObject(large);
            audited.responseStarted(201);
            audited.complete();
            audited = begin(audit, CREATE);
            audited.responseObject(-1, out -> out.write(large));
            audited.responseStarted(201);
            audited.complete();
            audited = begin(audit, CREATE);
            audited.requestObject(bytes("{nonsense"));
            audited.responseStarted(400);
            audited.complete();
        }
        assertThat(backend.lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"audit.k8s.io/truncated\":\"true\"")
                        .doesNotContain("requestObject", "responseObject")
                        .hasSizeLessThan(2000));
    }

    @ParameterizedTest
    @CsvSource({
        "/x?access%5Ftoken=s3cret,               /x?access%5Ftoken=(masked)",
        "/x?access_token%3ds3cret,               /x?access_token%3d(masked)",
        "/x?a&%61ccess_%74oke%6E=s3cret&b=c,     /x?a&%61ccess_%74oke%6E=(masked)&b=c",
        "/x?a=b;ACCESS%5ftoken=s3cret;c=%zz,     /x?a=b;ACCESS%5ftoken=(masked);c=%zz",
        "/access_token=a?no_access_token=b,      /access_token=a?no_access_token=b",
    })
    void tokenInAUriIsMaskedInEveryEncoding(String uri, String recorded) throws Exception {
        try (Audit audit = audit("rules: [{level: Metadata}]")) {
            AccessAttributes access = new ResourceAttributes("", "get", "", "v1", "nodes", "", "n");
            AuditRecord audited = Objects.requireNonNull(audit.begin(request(access, uri, ALICE)));
            audited.responseStarted(200);
            audited.complete();
        }
        assertThat(backend.lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("\"requestURI\":\"" + recorded + "\""));
    }

    @Test
    void tokensAreNeverRecorded() throws Exception {
        AccessAttributes review =
                new ResourceAttributes("", "create", "authentication.k8s.io", "v1", "tokenreviews", "", "");
        AccessAttributes token = new ResourceAttributes("ns", "create", "", "v1", "serviceaccounts", "token", "sa");
        try (Audit audit = audit("rules: [{level: RequestResponse}]")) {
            for (AccessAttributes access : List.of(review, token)) {
                AuditRecord audited =
                        Objects.requireNonNull(audit.begin(request(access, "/x?a=b&access_token=s3cret&c=d", ALICE)));
                audited.requestObject(bytes("{\"spec\":{\"token\":\"s3cret\"}}"));
                responseObject(
                        audited,
                        bytes(
                                "{\"spec\":{\"token\":\"s3cret\"},\"status\":{\"token\":\"s3cret\",\"expirationTimestamp\":\"t\"}}"));
                audited.responseStarted(201);
                audited.complete();
            }
        }
        assertThat(backend.lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line)
                        .doesNotContain("s3cret")
                        .contains("\"requestURI\":\"/x?a=b&access_token=(masked)&c=d\""));
        assertThat(backend.lines().getLast()).contains("\"expirationTimestamp\":\"t\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'metadata':{'name':'n','annotations':{'a':'s3cret'},'labels':{'s3cret':''}},'spec':{'audiences':['aud']}}",
                "{'spec':'s3cret'}",
                "{'spec':['s3cret',{'token':'s3cret'}]}",
                "{'spec':{'token':['s3cret'],'Token':'s3cret','s3cret':1,'audiences':{'x':'s3cret'}}}",
                "{'spec':{'audiences':[['s3cret'],{'s3cret':1}],'expirationSeconds':{'x':'s3cret'}}}",
                "{'status':'s3cret','status':{'user':'s3cret','error':'s3cret'}}",
                "{'status':{'user':{'extra':{'k':['s3cret']},'groups':'s3cret'}},'s3cret':{}}",
                "['s3cret']",
                "'s3cret'",
                "{'s3cret'",
            })
    void onlyKnownFieldsOfTypesWithTokensAreRecorded(String body) throws Exception {
        byte[] json = bytes(body.replace('\'', '"'));
        try (Audit audit = audit("rules: [{level: RequestResponse}]")) {
            for (AccessAttributes access : List.of(
                    new ResourceAttributes("", "create", "authentication.k8s.io", "v1", "tokenreviews", "", ""),
                    new ResourceAttributes("ns", "create", "", "v1", "serviceaccounts", "token", "sa"))) {
                AuditRecord audited = Objects.requireNonNull(audit.begin(request(access, "/x", ALICE)));
                audited.requestObject(json);
                responseObject(audited, json);
                audited.failed(Status.of(StatusReason.BAD_REQUEST, "unknown field \"s3cret\""));
                audited.responseStarted(400);
                audited.complete();
            }
        }
        assertThat(backend.lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).doesNotContain("s3cret"));
    }

    @Test
    void watchIsRecordedAtItsStartAndEnd() throws Exception {
        AccessAttributes watch = new ResourceAttributes("ns", "watch", "", "v1", "pods", "", "");
        try (Audit audit = audit("rules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, watch);
            audited.markLongRunning();
            audited.responseStarted(200);
            audited.end();
            AuditRecord broken = begin(audit, watch);
            broken.markLongRunning();
            broken.end();
            broken.responseStarted(200);
        }
        assertThat(backend.lines().stream().map(line -> line.replaceAll(".*\"stage\":\"([A-Za-z]*)\".*", "$1")))
                .contains("RequestReceived", "ResponseStarted", "ResponseComplete")
                .filteredOn("ResponseStarted"::equals)
                .hasSize(2);
        assertThat(backend.lines().getLast())
                .contains("\"responseStatus\":{\"metadata\":{},\"status\":\"Success\",\"message\":\"Connection closed"
                        + " early\",\"code\":200}");
    }

    @Test
    void panicIsTheLastEvent() throws Exception {
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            audited.panicked(new IllegalStateException("secret detail"));
            audited.complete();
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"stage\":\"Panic\"",
                        "\"message\":\"APIServer panic'd:"
                                + " java.lang.IllegalStateException\",\"reason\":\"InternalError\",\"code\":500")
                .doesNotContain("secret detail");
    }

    @Test
    void unauthenticatedRequestIsRecordedOnceWithoutAUser() throws Exception {
        try (Audit audit = audit("rules: [{level: Metadata}]")) {
            audit.unauthenticated(
                    request(new NonResourceAttributes("/version", "get"), "/version", null),
                    Status.of(StatusReason.UNAUTHORIZED, "Unauthorized"),
                    "bearer");
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"stage\":\"ResponseStarted\"",
                        "\"user\":{},",
                        "\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401",
                        "\"annotations\":{\"authentication.plat.io/attempted\":\"bearer\"}")
                .doesNotContain("objectRef", "responseObject");
    }

    @Test
    void malformedRequestIsRecordedOnceWithItsResponse() throws Exception {
        try (Audit audit = audit("rules: [{level: RequestResponse, nonResourceURLs: [\"*\"]}]")) {
            audit.malformed(
                    request(new NonResourceAttributes("/api/%2e%2e/x", "get"), "/api/%2e%2e/x", null),
                    Status.of(StatusReason.BAD_REQUEST, "malformed request path"));
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"stage\":\"ResponseComplete\",\"requestURI\":\"/api/%2e%2e/x\",\"verb\":\"get\",\"user\":{},",
                        "\"code\":400},\"responseObject\":{\"kind\":\"Status\"");
    }

    /** Like kube-apiserver for a deleted object. */
    @Test
    void successStatusIsRecorded() throws Exception {
        try (Audit audit = audit("omitStages: [RequestReceived]\nrules: [{level: Metadata}]")) {
            AuditRecord audited = begin(audit, CREATE);
            audited.succeeded(new Details("a", "", "configmaps", "u-1", List.of(), 0));
            audited.addAnnotation("of/more", "than usual");
            audited.responseStarted(200);
            audited.complete();
        }
        assertThat(backend.lines())
                .singleElement()
                .asString()
                .contains(
                        "\"responseStatus\":{\"metadata\":{},\"status\":\"Success\",\"details\":{\"name\":\"a\",\"kind\":\"configmaps\",\"uid\":\"u-1\"},\"code\":200}",
                        "\"annotations\":{\"of/more\":\"than usual\"}");
    }

    @Test
    void unrecordableRequestIsRefusedInStrictMode() throws Exception {
        backend.full(true);
        try (Audit audit = audit("rules: [{level: Metadata}]")) {
            assertThatThrownBy(() -> begin(audit, CREATE))
                    .isInstanceOf(StatusException.class)
                    .hasMessageContaining("failed to store audit event");
            backend.full(false);
            assertThat(begin(audit, CREATE)).isNotNull();
        }
        assertThat(backend.registry.counter("apiserver.audit.requests.rejected").count())
                .isEqualTo(1);
        assertThat(backend.registry
                        .counter("apiserver.audit.error", "plugin", "log")
                        .count())
                .isEqualTo(1);
        backend.full(true);
        try (Audit lenient = backend.audit(directory, "rules: [{level: Metadata}]", false)) {
            assertThat(begin(lenient, CREATE)).isNotNull();
        }
    }

    @Test
    void levelNoneProducesNoEvents() throws Exception {
        try (Audit audit = audit("rules: [{level: None}]")) {
            assertThat(audit.begin(request(CREATE, "/", ALICE))).isNull();
        }
        assertThat(backend.lines()).isEmpty();
        assertThat(backend.registry
                        .counter("apiserver.audit.level", "level", "None")
                        .count())
                .isEqualTo(1);
    }
}
