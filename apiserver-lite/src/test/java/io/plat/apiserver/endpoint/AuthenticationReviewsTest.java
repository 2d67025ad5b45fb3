package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationReviewsTest {
    private static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private final ResourceType type = ResourceCatalog.builtIn()
            .find("authentication.k8s.io", "v1", "selfsubjectreviews")
            .orElseThrow();
    private final AuthenticationReviews reviews = new AuthenticationReviews(
            (call, kind) -> OperationBody.of(
                    new Target(kind, "", ""),
                    "",
                    RequestBodies.DEFAULT.json(call, kind),
                    WriteOptions.DEFAULT,
                    new ObjectIdentity(Clock.systemUTC(), new Random(1))),
            () -> Instant.parse("2026-01-02T03:04:05.678Z"),
            new BearerTokenAuthenticator(List.of(), List.of()));

    private String review(String body, UserInfo user) throws StatusException {
        ApiResponse answer =
                reviews.selfSubject(TestingIncoming.of("POST", PATH).body(body).by(user), type);
        assertThat(answer.code()).isEqualTo(201);
        return new String(answer.body().bytes(), UTF_8);
    }

    @Test
    void selfSubjectReviewReturnsTheCaller() throws StatusException {
        UserInfo user = new UserInfo("alice", "7", List.of("dev"), Map.of("k", List.of("v")));
        assertThat(review("{}", user))
                .isEqualTo("{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\","
                        + "\"metadata\":{\"creationTimestamp\":\"2026-01-02T03:04:05Z\"},"
                        + "\"status\":{\"userInfo\":{\"username\":\"alice\",\"uid\":\"7\",\"groups\":[\"dev\"],"
                        + "\"extra\":{\"k\":[\"v\"]}}}}");
    }

    @Test
    void bodyDoesNotAffectTheIdentity() throws StatusException {
        assertThat(review(
                        "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\","
                                + "\"status\":{\"userInfo\":{\"username\":\"root\"}}}",
                        new UserInfo("alice", List.of())))
                .contains("\"username\":\"alice\"")
                .doesNotContain("root");
    }

    /** As in Kubernetes, where it is decoded as an object without fields. */
    @Test
    void nullIsAnEmptyReview() throws StatusException {
        assertThat(review("null", new UserInfo("alice", List.of()))).contains("\"username\":\"alice\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"kind\":\"Pod\"}", "{\"apiVersion\":\"v1\"}", "{\"kind\":7}"})
    void refusesOtherObjects(String body) {
        assertThatThrownBy(() -> review(body, new UserInfo("alice", List.of())))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400));
    }
}
