package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizationReviewsTest {
    private static final UserInfo CALLER = new UserInfo("asker", List.of("system:authenticated"));
    private static final String ATTRIBUTES = "\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"%s}";

    private static final ResourceType PODS =
            ResourceCatalog.builtIn().find("", "v1", "pods").orElseThrow();

    private final List<Attributes> requested = new ArrayList<>();

    private Authorizer decides(Decision decision) {
        return attributes -> {
            requested.add(attributes);
            return decision;
        };
    }

    private ApiResponse post(String path, String body, Decision decision) throws StatusException {
        return post(path, body, decides(decision));
    }

    private static ApiResponse post(String path, String body, Authorizer authorizer) throws StatusException {
        Call call = TestingIncoming.of("POST", path).body(body).by(CALLER);
        ResourceAttributes access = (ResourceAttributes) call.info().access();
        ResourceType type = ResourceCatalog.builtIn()
                .find(access.group(), access.version(), access.resource())
                .orElseThrow();
        return reviews(authorizer).answer(call, type, access).orElseThrow();
    }

    private static AuthorizationReviews reviews(Authorizer authorizer) {
        return new AuthorizationReviews(
                authorizer,
                (call, type) ->
                        new OperationBody(RequestBodies.DEFAULT.json(call, type), new JsonMapper().createObjectNode()),
                RequestBodies.DEFAULT.limit());
    }

    private static JsonNode tree(ApiResponse answer) throws IOException {
        return new JsonMapper().readTree(answer.body().bytes());
    }

    private static String spec(String subject, String more) {
        return "{\"spec\":{" + subject + ATTRIBUTES.formatted(more) + "}}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /apis/authorization.plat.io/v1beta1/subjectaccessreviews | authorization.plat.io/v1beta1 | SubjectAccessReview | group
        /apis/authorization.k8s.io/v1beta1/subjectaccessreviews  | authorization.k8s.io/v1beta1  | SubjectAccessReview | group
        /apis/authorization.k8s.io/v1/subjectaccessreviews       | authorization.k8s.io/v1       | SubjectAccessReview | groups
        """)
    void respondsInTheVersionOfThePath(String path, String apiVersion, String kind, String groups)
            throws StatusException, IOException {
        String subject = "\"user\":\"bob\",\"" + groups + "\":[\"dev\"],";
        ApiResponse answer = post(path, spec(subject, ""), FixedGrant.allow("Test", "test:1", "because"));
        assertThat(answer.code()).isEqualTo(201);
        JsonNode review = tree(answer);
        assertThat(review.path("apiVersion").asText()).isEqualTo(apiVersion);
        assertThat(review.path("kind").asText()).isEqualTo(kind);
        assertThat(review.path("spec").path("user").asText()).isEqualTo("bob");
        assertThat(review.path("spec").path(groups).toString()).isEqualTo("[\"dev\"]");
        assertThat(review.path("status").path("allowed").asBoolean()).isTrue();
        assertThat(review.path("status").path("reason").asText()).isEqualTo("because");
        assertThat(requested)
                .singleElement()
                .satisfies(attributes -> assertThat(attributes.user()).isEqualTo(new UserInfo("bob", List.of("dev"))));
    }

    @Test
    void denialIsASuccessfulResponse() throws StatusException, IOException {
        for (Decision decision : List.of(new Decision.Deny("no"), new Decision.NoOpinion("no"))) {
            ApiResponse answer =
                    post("/apis/authorization.k8s.io/v1/subjectaccessreviews", spec("\"user\":\"bob\",", ""), decision);
            assertThat(answer.code()).isEqualTo(201);
            assertThat(tree(answer).path("status").toString()).isEqualTo("{\"allowed\":false,\"reason\":\"no\"}");
        }
    }

    @Test
    void undecidedRequestIsAServerError() {
        for (Decision.Cause cause : Decision.Cause.values()) {
            assertThatThrownBy(() -> post(
                            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                            spec("\"user\":\"bob\",", ""),
                            new Decision.Undecided(cause, "nobody home")))
                    .isInstanceOfSatisfying(StatusException.class, e -> {
                        assertThat(e.status().code()).isEqualTo(500);
                        assertThat(e.status().message())
                                .startsWith("could not decide whether User \"bob\" can get resource \"pods\"")
                                .endsWith(": nobody home");
                    });
        }
    }

    @Test
    void selfReviewChecksTheCaller() throws StatusException {
        post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", spec("", ""), Decision.NoOpinion.SILENT);
        assertThat(requested)
                .singleElement()
                .satisfies(attributes -> assertThat(attributes.user()).isEqualTo(CALLER));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ,"namespace":"a" | 201
        ,"namespace":"b" | 400 or 422
        """)
    void localReviewChecksItsOwnNamespace(String more, String expected) {
        String actual;
        try {
            ApiResponse answer = post(
                    "/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews",
                    spec("\"user\":\"bob\",", more),
                    Decision.NoOpinion.SILENT);
            actual = Integer.toString(answer.code());
        } catch (StatusException e) {
            actual = Integer.toString(e.status().code());
        }
        assertThat(expected).contains(actual);
    }

    @Test
    void malformedReviewIsNotDecided() {
        for (String body : List.of("", "{", "[]", "{\"spec\":{\"user\":\"bob\"}}", "{\"kind\":\"Pod\",\"spec\":{}}")) {
            assertThatThrownBy(() -> post(
                            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                            body,
                            FixedGrant.allow("Test", "test:1", "because")))
                    .as(new String(body.getBytes(UTF_8), UTF_8))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status().code()).isIn(400, 422));
        }
        assertThat(requested).isEmpty();
    }

    @Test
    void otherTypesAreNotReviews() throws StatusException {
        for (String path : List.of(
                "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                "/apis/authorization.k8s.io/v2/subjectaccessreviews",
                "/api/v1/pods")) {
            Call call = TestingIncoming.of("POST", path).by(CALLER);
            ResourceAttributes access = (ResourceAttributes) call.info().access();
            assertThat(reviews(decides(Decision.NoOpinion.SILENT)).answer(call, PODS, access))
                    .as(path)
                    .isEmpty();
        }
    }

    /** A user may have any number of rules. */
    @Test
    void rulesAreListedWithAComputeSlot() throws StatusException {
        assertThat(RequestMemory.tryOnSharedThread(() -> post(
                        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                        "{\"spec\":{\"namespace\":\"a\"}}",
                        new AlwaysDeny())))
                .isNull();
    }

    @Test
    void rulesAreIncompleteIfAnAuthorizerCannotEnumerateThem() throws StatusException, IOException {
        Authorizer silent = decides(Decision.NoOpinion.SILENT);
        Authorizer union =
                new UnionAuthorizer(List.of(new Member("AlwaysAllow", new AlwaysAllow()), new Member("corp", silent)));
        JsonNode review = tree(post(
                "/apis/authorization.plat.io/v1beta1/selfsubjectrulesreviews",
                "{\"spec\":{\"namespace\":\"a\"}}",
                union));
        assertThat(review.toString())
                .isEqualTo("{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.plat.io/v1beta1\","
                        + "\"metadata\":{},\"spec\":{},\"status\":{\"resourceRules\":"
                        + "[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}],\"nonResourceRules\":"
                        + "[{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}],\"incomplete\":true,\"evaluationError\":"
                        + "\"corp: it cannot enumerate rules\"}}");
        assertThat(requested).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                       | no namespace on request
        {"spec":{"namespace":""}}                                | no namespace on request
        {"spec":{"namespace":7}}                                 | spec.namespace: expected a string
        {"kind":"SelfSubjectAccessReview"}                       | kind: expected
        {"apiVersion":"authorization.k8s.io/v1beta1","spec":{}}  | apiVersion: expected
        {"spec":{"namespace":"a"}} x                             | the body is not valid JSON
        """)
    void malformedRulesReviewIsRefused(String body, String message) {
        assertThatThrownBy(() -> post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", body, new AlwaysAllow()))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(400);
                    assertThat(e.status().message()).startsWith(message);
                });
    }

    @Test
    void explanationsAndListingsUseTheVersionOfThePath() throws StatusException, IOException {
        for (String version : List.of("authorization.plat.io/v1beta1", "authorization.k8s.io/v1")) {
            JsonNode explained = tree(
                    post("/apis/" + version + "/accessexplanations", spec("\"user\":\"bob\",", ""), new AlwaysAllow()));
            assertThat(explained.path("apiVersion").asText()).isEqualTo(version);
            assertThat(explained.path("kind").asText()).isEqualTo("AccessExplanation");
            assertThat(explained.at("/status/allowed").asBoolean()).isTrue();
            assertThat(explained.at("/status/grants/0/authorizer").asText()).isEqualTo("AlwaysAllow");
            JsonNode who = tree(post("/apis/" + version + "/subjectlistings", spec("", ""), new AlwaysAllow()));
            assertThat(who.path("kind").asText()).isEqualTo("SubjectListing");
            assertThat(who.at("/status/subjects/0/everybody").asBoolean()).isTrue();
        }
    }

    @Test
    void explanationOfAnUndecidedRequestFails() {
        assertThatThrownBy(() -> post(
                        "/apis/authorization.k8s.io/v1/accessexplanations",
                        spec("\"user\":\"bob\",", ""),
                        new Decision.Undecided(Decision.Cause.FAILED, "nobody home")))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(500));
    }

    @Test
    void matrixUsesTheVersionOfThePath() throws StatusException, IOException {
        String body = "{\"spec\":{\"verbs\":[\"get\"],\"resources\":[{\"resource\":\"pods\"}]}}";
        for (String version : List.of("authorization.k8s.io/v1", "authorization.plat.io/v1beta1")) {
            ApiResponse answer = post("/apis/" + version + "/accessmatrices", body, new AlwaysAllow());
            assertThat(answer.code()).isEqualTo(201);
            assertThat(tree(answer).path("apiVersion").asText()).isEqualTo(version);
            assertThat(tree(answer).at("/status/rows/0/allowed").toString()).isEqualTo("[1]");
        }
        assertThatThrownBy(
                        () -> post("/apis/authorization.k8s.io/v1/accessmatrices", "{\"spec\":{}}", new AlwaysAllow()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400));
    }

    @Test
    void oneClientDoesNotStarveExplanationsOfOthers() throws Exception {
        var inside = new Semaphore(0);
        var release = new CountDownLatch(1);
        AuthorizationReviews slow = reviews(attributes -> {
            inside.release();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return FixedGrant.allow("Test", "test:1", "because");
        });
        var greedy = new ArrayList<Future<Integer>>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 8; i++) {
                greedy.add(threads.submit(() -> explain(slow, "greedy")));
            }
            await().until(() -> greedy.stream().filter(Future::isDone).count() == 5);
            assertThat(inside.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
            Future<Integer> modest = threads.submit(() -> explain(slow, "modest"));
            assertThat(inside.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            release.countDown();
            assertThat(modest.get()).isEqualTo(201);
        }
        assertThat(greedy).filteredOn(one -> one.resultNow() == 201).hasSize(3);
    }

    private static int explain(AuthorizationReviews reviews, String user) {
        String path = "/apis/authorization.k8s.io/v1/accessexplanations";
        try {
            Call call = TestingIncoming.of("POST", path)
                    .body(spec("\"user\":\"bob\",", ""))
                    .by(new UserInfo(user, List.of()));
            ResourceAttributes access = (ResourceAttributes) call.info().access();
            ResourceType type = ResourceCatalog.builtIn()
                    .find(access.group(), access.version(), access.resource())
                    .orElseThrow();
            return reviews.answer(call, type, access).orElseThrow().code();
        } catch (StatusException refused) {
            return refused.status().code();
        }
    }
}
