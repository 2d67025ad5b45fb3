package io.plat.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.authorization.ConfiguredAuthorizer.BuiltIn;
import io.plat.authorization.ConfiguredAuthorizer.Webhook;
import io.plat.review.ReviewVersion;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorizationConfigReaderTest {
    private static final String HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n";
    private static final Map<String, String> MISSING = Map.of("ABAC", "--authorization-policy-file");

    private final String connection;

    AuthorizationConfigReaderTest(@TempDir Path directory) throws IOException {
        connection = Files.writeString(directory.resolve("webhook.conf"), "").toString();
    }

    private static List<ConfiguredAuthorizer> read(String text) throws ProblemsException {
        return AuthorizationConfigReader.read("config", text, List.of("AlwaysAllow", "AlwaysDeny", "RBAC"), MISSING);
    }

    private static void refused(String text, String... lines) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        ProblemsException.class,
                        e -> assertThat(e.problems()).map(Object::toString).containsExactlyInAnyOrder(lines));
    }

    private String least() {
        return """
            - name: corp
              type: Webhook
              webhook:
                timeout: 3s
                subjectAccessReviewVersion: v1
                failurePolicy: NoOpinion
                connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
            """.formatted(connection);
    }

    @Test
    void absentFieldsHaveKubernetesDefaults() throws ProblemsException {
        for (String version : List.of("v1", "v1beta1", "v1alpha1")) {
            List<ConfiguredAuthorizer> read = read(HEAD.replace("io/v1", "io/" + version) + "authorizers:\n" + least()
                    + "- {type: RBAC, name: rbac}\n");
            Webhook corp = (Webhook) read.getFirst();
            assertThat(corp.name()).isEqualTo("corp");
            assertThat(corp.options().configFile()).isEqualTo(Path.of(connection));
            assertThat(corp.options().requests().deadline()).isEqualTo(Duration.ofSeconds(3));
            assertThat(corp.options().requests().version()).isEqualTo(ReviewVersion.K8S_V1);
            assertThat(corp.options().caching().authorizedTtl()).isEqualTo(Duration.ofMinutes(5));
            assertThat(corp.options().caching().unauthorizedTtl()).isEqualTo(Duration.ofSeconds(30));
            assertThat(corp.failsClosed()).isFalse();
            assertThat(corp.conditions()).isNull();
            assertThat(read.getLast()).isEqualTo(new BuiltIn("rbac", "RBAC"));
        }
    }

    @Test
    void everyFieldIsRead() throws ProblemsException {
        Webhook corp = (Webhook) read(HEAD + """
            authorizers:
            - name: corp.example.com
              type: Webhook
              webhook:
                timeout: 500ms
                authorizedTTL: 1m
                unauthorizedTTL: 10s
                cacheAuthorizedRequests: true
                cacheUnauthorizedRequests: false
                subjectAccessReviewVersion: v1beta1
                matchConditionSubjectAccessReviewVersion: v1
                failurePolicy: Deny
                connectionInfo:
                  type: KubeConfigFile
                  kubeConfigFile: %s
                matchConditions:
                - expression: has(request.resourceAttributes)
                - expression: "!('system:nodes' in request.groups)"
            """.formatted(connection)).getFirst();
        assertThat(corp.options().requests().deadline()).isEqualTo(Duration.ofMillis(500));
        assertThat(corp.options().requests().version()).isEqualTo(ReviewVersion.K8S_V1BETA1);
        assertThat(corp.options().caching().authorizedTtl()).isEqualTo(Duration.ofMinutes(1));
        assertThat(corp.options().caching().unauthorizedTtl()).isZero();
        assertThat(corp.failsClosed()).isTrue();
        assertThat(corp.conditions()).isNotNull();
        assertThat(((Webhook) read(HEAD + "authorizers:\n"
                                        + least().replace("Version: v1", "Version: authorization.plat.io/v1beta1"))
                                .getFirst())
                        .options()
                        .requests()
                        .version())
                .isEqualTo(ReviewVersion.PLAT_V1BETA1);
    }

    @Test
    void allProblemsAreReportedWithTheirLines() {
        refused(
                HEAD + """
                    authorizers:
                    - name: Corp_1
                      type: Webhook
                      webhook:
                        timeout: 31s
                        authorizedTTL: 0s
                        unauthorizedTTL: soon
                        subjectAccessReviewVersion: v2
                        failurePolicy: Perhaps
                        connectionInfo: {type: InClusterConfig, kubeConfigFile: x}
                        matchConditions:
                        - expression: request.foo
                        - expression: "true"
                        - expression: "true"
                        - expression: ""
                    - {name: rbac, type: RBAC, webhook: {}}
                    - {name: rbac, type: RBAC}
                    - {name: lines, type: ABAC}
                    - {name: nodes, type: Node}
                    - {type: AlwaysDeny, nmae: x}
                    - {name: empty, type: Webhook}
                    """,
                "config:4: authorizers[0].name: \"Corp_1\" is not a DNS name, expected lower case letters, digits,"
                        + " \"-\" and \".\"",
                "config:7: authorizers[0].webhook.timeout: must be > 0s and <= 30s",
                "config:8: authorizers[0].webhook.authorizedTTL: must be > 0s; cacheAuthorizedRequests: false turns"
                        + " the cache off",
                "config:9: authorizers[0].webhook.unauthorizedTTL: invalid value \"soon\", expected a duration such as"
                        + " 30s or 1m30s",
                "config:10: authorizers[0].webhook.subjectAccessReviewVersion: invalid value \"v2\", expected one of"
                        + " \"authorization.plat.io/v1beta1\", \"v1\", \"v1beta1\"",
                "config:11: authorizers[0].webhook.failurePolicy: invalid value \"Perhaps\", expected one of \"Deny\","
                        + " \"NoOpinion\"",
                "config:12: authorizers[0].webhook.connectionInfo.type: \"InClusterConfig\" names no address and no"
                        + " client certificate of a webhook; expected \"KubeConfigFile\"",
                "config:7: authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: required",
                "config:14: authorizers[0].webhook.matchConditions[0].expression: compilation failed: at 1:8:"
                        + " undefined field 'foo'",
                "config:16: authorizers[0].webhook.matchConditions[2].expression: duplicate value",
                "config:17: authorizers[0].webhook.matchConditions[3].expression: must not be empty",
                "config:18: authorizers[1].webhook: requires type \"Webhook\"",
                "config:19: authorizers[2].type: duplicate value \"RBAC\"",
                "config:19: authorizers[2].name: duplicate value \"rbac\"",
                "config:20: authorizers[3].type: \"ABAC\" needs --authorization-policy-file",
                "config:21: authorizers[4].type: \"Node\" is supported by kube-apiserver only, which knows the pods of"
                        + " each node; list it there, before this server",
                "config:22: authorizers[5].name: required",
                "config:22: authorizers[5]: unknown field \"nmae\", did you mean \"name\"?",
                "config:23: authorizers[6].webhook: required",
                "config:23: authorizers[6].webhook.timeout: required, such as 3s",
                "config:23: authorizers[6].webhook.subjectAccessReviewVersion: required",
                "config:23: authorizers[6].webhook.failurePolicy: required",
                "config:23: authorizers[6].webhook.connectionInfo: required",
                "config:23: authorizers[6].webhook.connectionInfo.type: required");
    }

    @Test
    void otherFilesAreRefused() {
        refused("", "config: expected one AuthorizationConfiguration, found 0");
        refused(
                "apiVersion: v1\nkind: Config\n",
                "config:1: apiVersion: invalid value \"v1\", expected one of \"apiserver.config.k8s.io/v1\","
                        + " \"apiserver.config.k8s.io/v1alpha1\", \"apiserver.config.k8s.io/v1beta1\"",
                "config:2: kind: invalid value \"Config\", expected \"AuthorizationConfiguration\"",
                "config:1: authorizers: required, expected at least one authorizer");
        refused(HEAD + "authorizers: []\n", "config:3: authorizers: required, expected at least one authorizer");
        refused(
                HEAD + "authorizers:\n" + least().replace(connection, connection + ".gone"),
                "config:10: authorizers[0].webhook.connectionInfo.kubeConfigFile: \"" + connection
                        + ".gone\" is missing or not a regular file");
    }
}
