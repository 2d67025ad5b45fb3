package io.plat.engine.rbac.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of explanations of role objects, without findings, and with too many. */
class RbacExplainsTest {
    private static final RbacRole READER = RbacRole.role(
            "a", "reader", List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of("pods", "pods/log"))));
    private static final RbacBinding READERS =
            RbacBinding.roleBinding("a", "readers", RoleRef.role("reader"), List.of(RbacSubject.user("jane")));

    private static RbacIndex index(RbacRole role, RbacBinding... bindings) {
        return RbacIndex.of(new RbacPolicy(List.of(role), List.of(bindings)));
    }

    private static Attributes request(String user, String namespace, String verb, String resource) {
        return new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes(namespace, verb, "", "v1", resource, "", ""));
    }

    private static Findings explain(RbacIndex index, Attributes request) {
        return RbacAuthorizer.of(index, "").explain(request).findings();
    }

    @Test
    void aSourceIsTheChainFromBindingToRole() {
        assertThat(explain(index(READER, READERS), request("jane", "a", "get", "pods"))
                        .grants()
                        .items())
                .containsExactly(new NamedGrant(
                        "RBAC",
                        "RoleBinding/a/readers -> Role/a/reader",
                        "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"pods/log\"]}"));
    }

    @ParameterizedTest(name = "{0} {2} {3} in \"{1}\": {4}")
    @CsvSource(delimiter = '|', textBlock = """
            jane | a | get  | secrets  | resource
            jane | a | list | pods     | verb
            jane | b | get  | pods     | namespace
            jane | '' | get | pods     | namespace
            joe  | a | get  | pods     | user
            joe  | b | list | secrets  | user,verb,resource,namespace
            """)
    void aNearMissHasExactlyTheMismatches(String user, String namespace, String verb, String resource, String lacks) {
        assertThat(explain(index(READER, READERS), request(user, namespace, verb, resource))
                        .nearMisses()
                        .items())
                .singleElement()
                .satisfies(miss -> assertThat(String.join(",", miss.lacks())).isEqualTo(lacks));
    }

    @ParameterizedTest(name = "{0} {2} {3} in \"{1}\"")
    @CsvSource(delimiter = '|', textBlock = """
            ''   | a       | get | pods | the request names no user
            joe  | a       | ''  | pods | the request has no verb
            joe  | a       | get | ''   | the request names no resource
            joe  | *       | get | pods | no namespace can be called "*"
            joe  | Team-A  | get | pods | no namespace can be called "Team-A"
            """)
    void impossibleSuggestionsHaveAReason(String user, String namespace, String verb, String resource, String cause) {
        Suggestion suggestion =
                explain(index(READER), request(user, namespace, verb, resource)).suggestion();
        assertThat(suggestion).isNotNull();
        assertThat(suggestion.text()).isEmpty();
        assertThat(suggestion.note()).contains(cause);
    }

    @Test
    void aSuggestionHasUnusedNames() {
        Attributes request = request("joe", "a", "get", "pods");
        String name = nameIn(explain(index(READER), request));
        RbacBinding dangling =
                RbacBinding.roleBinding("a", "other", RoleRef.role(name), List.of(RbacSubject.group("everybody")));
        assertThat(name).startsWith("joe-get-pods-");
        assertThat(nameIn(explain(index(READER), request))).isEqualTo(name);
        assertThat(nameIn(explain(index(READER, dangling), request))).isNotEqualTo(name);
    }

    /** Servers of one store are notified of roles in the order of their starts, and give the same explanations. */
    @Test
    void rulesAreListedByTheNamesOfTheirRoles() {
        List<RbacObject> objects = new ArrayList<>();
        for (String name : List.of("c", "a", "d", "b")) {
            objects.add(RbacRole.role(
                    "n", name, List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of(name)))));
            objects.add(RbacBinding.roleBinding("n", name, RoleRef.role(name), List.of(RbacSubject.user("jane"))));
        }
        RbacIndex written = RbacIndex.EMPTY;
        for (RbacObject object : objects) {
            written = written.with(Changes.of(List.of(object), List.of()));
        }
        for (RbacIndex index : List.of(written, RbacIndex.EMPTY.with(Changes.of(objects.reversed(), List.of())))) {
            assertThat(RbacAuthorizer.of(index, "")
                            .rules(new UserInfo("jane", List.of()), "n")
                            .resources()
                            .items())
                    .flatExtracting(ResourceRule::resources)
                    .containsExactly("a", "b", "c", "d");
        }
    }

    private static String nameIn(Findings findings) {
        Suggestion suggestion = findings.suggestion();
        assertThat(suggestion).isNotNull();
        return suggestion
                .text()
                .lines()
                .filter(line -> line.startsWith("  name: "))
                .findFirst()
                .orElseThrow()
                .substring(8)
                .replace("\"", "");
    }

    @Test
    void missingRolesAreReportedAndPrivilegedUsersExplained() {
        RbacAuthorizer authorizer = new RbacAuthorizer(() -> null, "root");
        ExplainedDecision undecided = authorizer.explain(request("joe", "a", "get", "pods"));
        assertThat(undecided.decision()).isInstanceOf(Decision.Undecided.class);
        assertThat(undecided.findings().unexplained()).hasSize(1);
        ExplainedDecision root = authorizer.explain(request("root", "a", "get", "pods"));
        assertThat(root.findings().grants().items())
                .extracting(NamedGrant::source)
                .containsExactly("--authorization-rbac-super-user");
        SubjectListing listing =
                authorizer.subjects(request("joe", "a", "get", "pods").access());
        assertThat(listing.subjects().items())
                .extracting(subject -> subject.subject().name())
                .containsExactly("system:masters", "root");
        assertThat(listing.unexplained()).hasSize(1);
    }

    @Test
    void manyBindingsAreScannedAndFewReported() {
        RbacBinding[] bindings = IntStream.range(0, 20_000)
                .mapToObj(i -> RbacBinding.roleBinding(
                        "a", "b" + i, RoleRef.role("reader"), List.of(RbacSubject.user(i < 5_000 ? "jane" : "u" + i))))
                .toArray(RbacBinding[]::new);
        RbacIndex index = index(READER, bindings);
        Findings allowed = explain(index, request("jane", "a", "get", "pods"));
        assertThat(allowed.grants().items()).hasSize(Explainer.MAX_GRANTS);
        assertThat(allowed.grants().leftOut()).isEqualTo(5_000 - Explainer.MAX_GRANTS);
        Findings denied = explain(index, request("jane", "a", "list", "pods"));
        assertThat(denied.nearMisses().items()).hasSize(Explainer.MAX_NEAR_MISSES);
        assertThat(denied.nearMisses().leftOut()).isEqualTo(20_000 - Explainer.MAX_NEAR_MISSES);
        assertThat(denied.nearMisses().items())
                .allSatisfy(miss -> assertThat(miss.lacks()).containsExactly("verb"));
        SubjectListing listing = RbacAuthorizer.of(index, "")
                .subjects(request("", "a", "get", "pods").access());
        assertThat(listing.subjects().items()).hasSize(1 + 1 + 15_000);
    }
}
