package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DenialsTest {
    private static Attributes attributes(String method, String target, String user) throws StatusException {
        return TestingIncoming.of(method, target)
                .by(new UserInfo(user, List.of()))
                .attributes();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET    | /api/v1/namespaces/demo/configmaps   | configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "demo"
            GET    | /api/v1/namespaces/demo/configmaps/a | configmaps "a" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "demo"
            DELETE | /api/v1/namespaces/demo              | namespaces "demo" is forbidden: User "alice" cannot delete resource "namespaces" in API group "" in the namespace "demo"
            GET    | /api/v1/nodes                        | nodes is forbidden: User "alice" cannot list resource "nodes" in API group "" at the cluster scope
            POST   | /apis/apps/v1/namespaces/d/deployments | deployments.apps is forbidden: User "alice" cannot create resource "deployments" in API group "apps" in the namespace "d"
            GET    | /api/v1/namespaces/d/pods/p/log      | pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "d"
            GET    | /apis/rbac.authorization.plat.io/v1alpha1/clusterroles | clusterroles.rbac.authorization.plat.io is forbidden: User "alice" cannot list resource "clusterroles" in API group "rbac.authorization.plat.io" at the cluster scope
            GET    | /metrics                             | forbidden: User "alice" cannot get path "/metrics"
            """)
    void messagesMatchKubeApiserver(String method, String target, String message) throws StatusException {
        Status status = Denials.forbidden(attributes(method, target, "alice"), "");
        assertThat(status.message()).isEqualTo(message);
        assertThat(status.code()).isEqualTo(403);
    }

    @Test
    void appendsTheReason() throws StatusException {
        assertThat(Denials.forbidden(attributes("GET", "/version", "alice"), "not on a Sunday")
                        .message())
                .isEqualTo("forbidden: User \"alice\" cannot get path \"/version\": not on a Sunday");
    }

    @Test
    void detailsIdentifyTheObject() throws StatusException {
        Status status = Denials.forbidden(attributes("GET", "/apis/apps/v1/namespaces/d/deployments/x", "a"), "");
        Status.Details details = Objects.requireNonNull(status.details());
        assertThat(List.of(details.group(), details.kind(), details.name()))
                .containsExactly("apps", "deployments", "x");
    }

    @Test
    void namesAreQuotedAgainstLogForging() throws StatusException {
        assertThat(Denials.forbidden(attributes("GET", "/version", "a\"b\\c\nd\u2028"), "")
                        .message())
                .isEqualTo("forbidden: User \"a\\\"b\\\\c\\u000ad\\u2028\" cannot get path \"/version\"");
    }

    @Test
    void undecidedRequestIsAServerError() throws StatusException {
        Status status = Denials.undecided(attributes("GET", "/api/v1/pods", "alice"), "Webhook: connection refused");
        assertThat(status.code()).isEqualTo(500);
        assertThat(status.message())
                .isEqualTo("could not decide whether User \"alice\" can list resource \"pods\" in API group \"\" at the"
                        + " cluster scope: Webhook: connection refused");
    }
}
