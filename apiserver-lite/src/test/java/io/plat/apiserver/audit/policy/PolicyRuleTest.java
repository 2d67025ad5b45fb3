package io.plat.apiserver.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Matching of a rule, and its audit configuration. */
class PolicyRuleTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of("dev", "system:authenticated"));

    @TempDir
    Path directory = Path.of("");

    private AuditPolicy policy(String rules) throws IOException, ProblemsException {
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + rules);
        return PolicyReader.read(file);
    }

    /** {@code VERB /path} or {@code VERB namespace group resource subresource name}, where - is empty. */
    private static AccessAttributes access(String request) {
        String[] words = request.split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].equals("-") ? "" : words[i];
        }
        return words[1].startsWith("/")
                ? new NonResourceAttributes(words[1], words[0])
                : new ResourceAttributes(words[1], words[0], words[2], "v1", words[3], words[4], words[5]);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
            {}                                                              ; get ns - pods - a            ; true
            {}                                                              ; get /version                 ; true
            users: [alice]                                                  ; get ns - pods - a            ; true
            users: [bob]                                                    ; get ns - pods - a            ; false
            userGroups: [ops, dev]                                          ; get ns - pods - a            ; true
            userGroups: [ops]                                               ; get ns - pods - a            ; false
            users: [alice], userGroups: [ops]                               ; get ns - pods - a            ; false
            verbs: [get, list]                                              ; get ns - pods - a            ; true
            verbs: [list]                                                   ; get ns - pods - a            ; false
            verbs: [get]                                                    ; get /version                 ; true
            namespaces: [ns]                                                ; get ns - pods - a            ; true
            namespaces: [other]                                             ; get ns - pods - a            ; false
            namespaces: [""]                                                ; get ns - pods - a            ; false
            namespaces: [""]                                                ; get - - nodes - a            ; true
            namespaces: [""]                                                ; get /version                 ; false
            resources: [{group: ""}]                                        ; get ns - pods - a            ; true
            resources: [{group: ""}]                                        ; get ns - pods log a          ; true
            resources: [{group: ""}]                                        ; get ns apps deployments - a  ; false
            resources: [{}]                                                 ; get ns - pods - a            ; true
            resources: [{group: apps}, {group: ""}]                         ; get ns - pods - a            ; true
            resources: [{group: "", resources: [pods]}]                     ; get ns - pods - a            ; true
            resources: [{group: "", resources: [pods]}]                     ; get ns - pods log a          ; false
            resources: [{group: "", resources: [pods/log]}]                 ; get ns - pods log a          ; true
            resources: [{group: "", resources: [pods/log]}]                 ; get ns - pods - a            ; false
            resources: [{group: "", resources: [pods/*]}]                   ; get ns - pods log a          ; true
            resources: [{group: "", resources: [pods/*]}]                   ; get ns - pods - a            ; true
            resources: [{group: "", resources: [pods/*]}]                   ; get ns - services - a        ; false
            resources: [{group: "", resources: ["*/log"]}]                  ; get ns - pods log a          ; true
            resources: [{group: "", resources: ["*/log"]}]                  ; get ns - pods - a            ; false
            resources: [{group: "", resources: ["*/log"]}]                  ; get ns - pods status a       ; false
            resources: [{group: "", resources: ["*"]}]                      ; get ns - pods log a          ; true
            resources: [{group: "", resources: [pods], resourceNames: [a]}] ; get ns - pods - a            ; true
            resources: [{group: "", resources: [pods], resourceNames: [a]}] ; get ns - pods - b            ; false
            resources: [{group: "", resources: [pods], resourceNames: [a]}] ; list ns - pods - -           ; false
            resources: [{group: ""}], namespaces: [other]                   ; get ns - pods - a            ; false
            resources: [{group: ""}]                                        ; get /version                 ; false
            resources: [{group: rbac.authorization.k8s.io}]                 ; get - rbac.authorization.plat.io clusterroles - a ; true
            resources: [{group: rbac.authorization.plat.io}]                ; get - rbac.authorization.k8s.io clusterroles - a  ; true
            nonResourceURLs: [/version]                                     ; get /version                 ; true
            nonResourceURLs: [/version]                                     ; get /versions                ; false
            nonResourceURLs: ["/healthz*"]                                  ; get /healthz                 ; true
            nonResourceURLs: ["/healthz*"]                                  ; get /healthz/ping            ; true
            nonResourceURLs: ["/healthz*"]                                  ; get /health                  ; false
            nonResourceURLs: ["*"]                                          ; get /anything                ; true
            nonResourceURLs: ["*"]                                          ; get ns - pods - a            ; false
            """)
    void ruleMatches(String rule, String request, boolean matches) throws Exception {
        String fields = rule.equals("{}") ? "" : ", " + rule;
        AuditPolicy policy = policy("rules: [{level: Metadata" + fields + "}]\n");
        assertThat(policy.auditConfig(ALICE, access(request)).records()).isEqualTo(matches);
    }

    @Test
    void unauthenticatedUserMatchesNoUsersOrGroups() throws Exception {
        AccessAttributes access = access("get ns - pods - a");
        assertThat(policy("rules: [{level: Metadata, users: [alice]}]")
                        .auditConfig(null, access)
                        .records())
                .isFalse();
        assertThat(policy("rules: [{level: Metadata, userGroups: [dev]}]")
                        .auditConfig(null, access)
                        .records())
                .isFalse();
        assertThat(policy("rules: [{level: Metadata}]")
                        .auditConfig(null, access)
                        .records())
                .isTrue();
    }

    @Test
    void omitStagesIsCumulativeAndTheRuleOverridesOmitManagedFields() throws Exception {
        AuditPolicy policy = policy("""
                omitStages: [RequestReceived]
                omitManagedFields: true
                rules:
                - {level: Request, verbs: [get], omitStages: [Panic]}
                - {level: RequestResponse, omitManagedFields: false}
                """);
        RequestAuditConfig first = policy.auditConfig(ALICE, access("get ns - pods - a"));
        assertThat(first)
                .isEqualTo(new RequestAuditConfig(Level.REQUEST, Set.of(Stage.REQUEST_RECEIVED, Stage.PANIC), true));
        RequestAuditConfig second = policy.auditConfig(ALICE, access("list ns - pods - -"));
        assertThat(second)
                .isEqualTo(new RequestAuditConfig(Level.REQUEST_RESPONSE, Set.of(Stage.REQUEST_RECEIVED), false));
    }

    @Test
    void unmatchedRequestIsNotRecorded() throws Exception {
        assertThat(policy("rules: [{level: Metadata, verbs: [get]}]").auditConfig(ALICE, access("list ns - pods - -")))
                .isEqualTo(RequestAuditConfig.NOTHING);
    }
}
