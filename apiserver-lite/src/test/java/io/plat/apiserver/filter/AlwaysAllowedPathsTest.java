package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlwaysAllowedPathsTest {
    private static final Authorizer DENIES = attributes -> new Decision.Deny("no");

    private final ExemptingAuthorizer paths =
            ExemptingAuthorizer.ofPaths(List.of("/healthz", "/openapi/*", "/api*"), DENIES);

    @ParameterizedTest
    @CsvSource({
        "GET,  /healthz,      true",
        "POST, /healthz,      true",
        "GET,  /healthz/,     false",
        "GET,  /healthz/ping, false",
        "GET,  /openapi/v3,   true",
        "GET,  /openapi,      false",
        "GET,  /api,          true",
        "GET,  /apis/apps,    true",
        "GET,  /API,          false",
        "GET,  /version,      false",
        "GET,  /api/v1/pods,  false",
        "GET,  /apis/apps/v1/deployments, false",
    })
    void allowsThePathsToEverybodyAndNoResource(String method, String path, boolean allowed) throws StatusException {
        Call call = TestingIncoming.of(method, path).by(new UserInfo("system:anonymous", List.of()));
        assertThat(paths.authorize(call.attributes()) instanceof Decision.Allow).isEqualTo(allowed);
        assertThat(paths.decideFromMemory(call.attributes()) != null).isEqualTo(allowed);
    }

    @Test
    void otherPathsAreLeftToOtherAuthorizers() throws StatusException {
        Call call = TestingIncoming.of("GET", "/version").by(new UserInfo("alice", List.of()));
        assertThat(paths.authorize(call.attributes())).isEqualTo(new Decision.Deny("no"));
        assertThat(paths.decideFromMemory(call.attributes()))
                .as("these authorizers may block")
                .isNull();
    }

    @Test
    void alwaysAllowedPathsAreExplainedAndListed() throws StatusException {
        UserInfo alice = new UserInfo("alice", List.of());
        Call open = TestingIncoming.of("GET", "/healthz").by(alice);
        assertThat(paths.explain(open.attributes()).findings().grants().items())
                .extracting(NamedGrant::source)
                .containsExactly("--authorization-always-allow-paths");
        assertThat(paths.subjects(open.attributes().access()).subjects().items())
                .extracting(ListedSubject::subject)
                .containsExactly(SubjectName.EVERYBODY);
        assertThat(paths.rules(alice, "a").paths().items())
                .containsExactly(new PathRule(List.of("*"), List.of("/healthz", "/openapi/*", "/api*")));
        Call closed = TestingIncoming.of("GET", "/version").by(alice);
        assertThat(paths.explain(closed.attributes()).decision()).isEqualTo(new Decision.Deny("no"));
        assertThat(paths.subjects(closed.attributes().access()).subjects().items())
                .isEmpty();
    }
}
