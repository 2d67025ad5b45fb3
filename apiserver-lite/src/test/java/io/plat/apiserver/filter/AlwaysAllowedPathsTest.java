package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlwaysAllowedPathsTest {
    private static final Authorizer DENIES = attributes -> new Decision.Deny("no");

    private final AlwaysAllowedPaths paths = new AlwaysAllowedPaths(List.of("/healthz", "/openapi/*", "/api*"), DENIES);

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
    }

    @Test
    void whatIsNotAllowedIsUpToTheOthers() throws StatusException {
        Call call = TestingIncoming.of("GET", "/version").by(new UserInfo("alice", List.of()));
        assertThat(paths.authorize(call.attributes())).isEqualTo(new Decision.Deny("no"));
        assertThat(paths.decidesFromMemory()).isFalse();
    }
}
