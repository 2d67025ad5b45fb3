package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImpersonationTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of("dev", "system:authenticated"));

    private final List<String> requested = new ArrayList<>();

    private record AnyGrant() implements Grant {
        @Override
        public String authorizer() {
            return "Test";
        }

        @Override
        public String source() {
            return "test";
        }

        @Override
        public String rule() {
            return "all";
        }

        @Override
        public String reason() {
            return "";
        }
    }

    /** Allows everything but constrained impersonation, except for attributes with one of these names, and records the requests. */
    private Authorizer refusing(Decision refusal, String... names) {
        return attributes -> {
            ResourceAttributes r = (ResourceAttributes) attributes.access();
            if (r.verb().startsWith("impersonate-on:")) {
                return new Decision.Deny("unconstrained only");
            }
            requested.add(attributes.user().name() + " " + r.verb() + " [" + r.group() + "/" + r.version() + "] "
                    + r.resource() + (r.subresource().isEmpty() ? "" : "/" + r.subresource()) + " " + r.namespace()
                    + "/" + r.name());
            return List.of(names).contains(r.name()) ? refusal : new Decision.Allow(new AnyGrant());
        };
    }

    /** Returns a call with headers, written {@code Name: value | Name: value}. */
    private static Call call(String headers) throws StatusException {
        TestingIncoming incoming = TestingIncoming.of("GET", "/api/v1/pods?limit=5");
        for (String header : headers.split(" \\| ", -1)) {
            String[] parts = header.split(": ?", 2);
            incoming.header("Impersonate-" + parts[0].strip(), parts[1].strip());
        }
        return incoming.by(ALICE);
    }

    private UserInfo impersonated(String headers) throws StatusException {
        Call call = call(headers);
        new ImpersonationFilter(refusing(Decision.NoOpinion.SILENT)).admit(call);
        assertThat(call.authenticated()).isEqualTo(ALICE);
        return call.user();
    }

    private static Status refusal(Authorizer authorizer, String headers) {
        try {
            Call call = call(headers);
            assertThatThrownBy(() -> new ImpersonationFilter(authorizer).admit(call))
                    .isInstanceOf(StatusException.class);
            assertThat(call.user()).isEqualTo(ALICE);
            new ImpersonationFilter(authorizer).admit(call);
            throw new AssertionError("passed");
        } catch (StatusException refused) {
            return refused.status();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        User: bob                                           ; bob ; system:authenticated
        user: bob                                           ; bob ; system:authenticated
        User: bob | Group: ops                              ; bob ; ops system:authenticated
        User: bob | Group: ops | Group: qa                  ; bob ; ops qa system:authenticated
        User: bob | Group: ops | Group: ops                 ; bob ; ops system:authenticated
        User: bob | Group: system:authenticated             ; bob ; system:authenticated
        User: bob | Group: system:unauthenticated           ; bob ; system:unauthenticated
        User: bob | Group: system:masters                   ; bob ; system:masters system:authenticated
        User: system:anonymous                              ; system:anonymous ; system:unauthenticated
        User: system:anonymous | Group: ops                 ; system:anonymous ; ops system:unauthenticated
        User: system:anonymous | Group: system:unauthenticated ; system:anonymous ; system:unauthenticated
        User: system:serviceaccount:a:b                     ; system:serviceaccount:a:b ; system:serviceaccounts system:serviceaccounts:a system:authenticated
        User: system:serviceaccount:a:b | Group: ops        ; system:serviceaccount:a:b ; ops system:authenticated
        User: system:serviceaccount:a:b:c                   ; system:serviceaccount:a:b:c ; system:authenticated
        User: system:serviceaccount:A:b                     ; system:serviceaccount:A:b ; system:authenticated
        User: system:serviceaccount:a:                      ; system:serviceaccount:a: ; system:authenticated
        """)
    void impersonatedUserHasExactlyTheGivenGroups(String headers, String name, String groups) throws StatusException {
        UserInfo user = impersonated(headers);
        assertThat(user.name()).isEqualTo(name);
        assertThat(String.join(" ", user.groups())).isEqualTo(groups);
        assertThat(user.uid()).isEmpty();
        assertThat(user.extra()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            User: bob                                    ; alice impersonate [/] users /bob
            User: system:serviceaccount:a:b              ; alice impersonate [/] serviceaccounts a/b
            User: system:serviceaccount:a:b.c            ; alice impersonate [/] serviceaccounts a/b.c
            User: system:serviceaccount:a.c:b            ; alice impersonate [/] users /system:serviceaccount:a.c:b
            User: bob | Group: ops                       ; alice impersonate [/] users /bob, alice impersonate [/] groups /ops
            User: bob | Group: ops | Group: ops          ; alice impersonate [/] users /bob, alice impersonate [/] groups /ops
            User: bob | Group:                           ; alice impersonate [/] users /bob, alice impersonate [/] groups /
            User: bob | Uid: 1-2                         ; alice impersonate [/] users /bob, alice impersonate [authentication.k8s.io/v1] uids /1-2
            User: bob | Group: ops | Uid: 1              ; alice impersonate [/] users /bob, alice impersonate [authentication.k8s.io/v1] uids /1, alice impersonate [/] groups /ops
            User: bob | Uid:                             ; alice impersonate [/] users /bob
            User: bob | Extra-Scopes: view               ; alice impersonate [/] users /bob, alice impersonate [authentication.k8s.io/v1] userextras/scopes /view
            User: bob | Extra-s: x | Extra-s: y          ; alice impersonate [/] users /bob, alice impersonate [authentication.k8s.io/v1] userextras/s /x, alice impersonate [authentication.k8s.io/v1] userextras/s /y
            User: bob | Extra-acme.com%2Fproject: p      ; alice impersonate [/] users /bob, alice impersonate [authentication.k8s.io/v1] userextras/acme.com/project /p
            """)
    void eachAttributeIsAuthorizedSeparately(String headers, String permissions) throws StatusException {
        impersonated(headers);
        assertThat(String.join(", ", requested)).isEqualTo(permissions);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        Extra-Scopes: view       ; scopes
        Extra-SCOPES: view       ; scopes
        Extra-acme.com%2fa: view ; acme.com/a
        Extra-%41b: view         ; Ab
        Extra-a%zz: view         ; a%zz
        Extra-a%ff: view         ; a%ff
        Extra-: view             ; ''
        """)
    void extraKeysAreLowercasedAndDecoded(String header, String key) throws StatusException {
        assertThat(impersonated("User: bob | " + header).extra()).isEqualTo(Map.of(key, List.of("view")));
    }

    @Test
    void allExtraValuesAreKept() throws StatusException {
        UserInfo user = impersonated("User: bob | Uid: 7 | Extra-a: 1 | extra-A: 2 | Extra-%61: 3 | Extra-b: 4");
        assertThat(user.extra()).isEqualTo(Map.of("a", List.of("3", "1", "2"), "b", List.of("4")));
        assertThat(user.uid()).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        Group: ops               ; 400 ; requested [{Group  ops    }] without impersonating a user
        Uid: 1                   ; 400 ; requested [{UID  1  authentication.k8s.io/v1  }] without impersonating a user
        Extra-k: v               ; 400 ; requested [{UserExtra  v  authentication.k8s.io/v1  k}] without impersonating a user
        User: | Group: ops       ; 400 ; requested [{Group  ops    }] without impersonating a user
        User:                    ; 400 ; requested [] without impersonating a user
        User: a | User: b        ; 400 ; header "impersonate-user" has 2 values, expected one
        User: a | Uid: 1 | Uid: 2 ; 400 ; header "impersonate-uid" has 2 values, expected one
        """)
    void incompleteImpersonationIsRefused(String headers, int code, String message) {
        Status status = refusal(refusing(Decision.NoOpinion.SILENT), headers);
        assertThat(status.code()).isEqualTo(code);
        assertThat(status.message()).isEqualTo(message);
        assertThat(requested).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        User: NO                         ; users.authentication.k8s.io "NO" is forbidden: User "alice" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope
        User: system:serviceaccount:a:no ; serviceaccounts.authentication.k8s.io "no" is forbidden: User "alice" cannot impersonate:serviceaccount resource "serviceaccounts" in API group "authentication.k8s.io" in the namespace "a"
        User: bob | Group: NO            ; groups.authentication.k8s.io "NO" is forbidden: User "alice" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope
        User: bob | Uid: NO              ; uids.authentication.k8s.io "NO" is forbidden: User "alice" cannot impersonate:user-info resource "uids" in API group "authentication.k8s.io" at the cluster scope
        User: bob | Extra-k.io%2Fk: yes | Extra-k.io%2Fk: NO ; userextras.authentication.k8s.io "NO" is forbidden: User "alice" cannot impersonate:user-info resource "userextras/k.io/k" in API group "authentication.k8s.io" at the cluster scope
        """)
    void denialNamesTheMissingPermission(String headers, String message) {
        Status denied = refusal(constrained(new Decision.Deny("not today"), "NO", "no"), headers);
        assertThat(denied.code()).isEqualTo(403);
        assertThat(denied.message()).isEqualTo(message + ": not today");
        assertThat(refusal(constrained(Decision.NoOpinion.SILENT, "NO", "no"), headers)
                        .message())
                .isEqualTo(message);
        Status undecided =
                refusal(constrained(new Decision.Undecided(Decision.Cause.FAILED, "gone"), "NO", "no"), headers);
        assertThat(undecided.code()).isEqualTo(500);
        Status unconstrained = refusal(refusing(new Decision.Deny("not today"), "NO", "no"), headers);
        assertThat(unconstrained.message())
                .as("of the first mode")
                .startsWith("pods is forbidden: User \"alice\" cannot impersonate-on:")
                .endsWith(": unconstrained only");
    }

    /** Allows everything except for attributes with one of these names. */
    private static Authorizer constrained(Decision refusal, String... names) {
        return attributes -> List.of(names).contains(((ResourceAttributes) attributes.access()).name())
                ? refusal
                : new Decision.Allow(new AnyGrant());
    }

    @Test
    void impersonationHeadersAreRemoved() throws StatusException {
        Call call = TestingIncoming.of("POST", "/api/v1/namespaces/a/pods")
                .header("Impersonate-User", "bob")
                .header("impersonate-foo", "ignored")
                .header("Accept", "a/b")
                .header("Accept", "c/d")
                .body("body")
                .by(ALICE);
        new ImpersonationFilter(refusing(Decision.NoOpinion.SILENT)).admit(call);
        IncomingRequest remaining = call.incoming();
        assertThat(remaining.headerNames()).containsExactly("Accept");
        assertThat(remaining.header("impersonate-USER")).isEmpty();
        assertThat(remaining.headers("Impersonate-User")).isEmpty();
        assertThat(remaining.header("accept")).isEqualTo("a/b, c/d");
        assertThat(remaining.headers("Accept")).containsExactly("a/b", "c/d");
        assertThat(remaining.method() + remaining.rawPath() + remaining.rawQuery())
                .isEqualTo("POST/api/v1/namespaces/a/podsnull");
        assertThat(remaining.body(10)).hasSize(4);
        assertThat(remaining.certificates()).isEmpty();
    }

    @Test
    void unknownImpersonationHeaderIsIgnored() throws StatusException {
        Call call = TestingIncoming.of("GET", "/version")
                .header("Impersonate-Foo", "x")
                .by(ALICE);
        new ImpersonationFilter(refusing(Decision.NoOpinion.SILENT)).admit(call);
        assertThat(call.user()).isEqualTo(ALICE);
        assertThat(requested).isEmpty();
    }

    @Test
    void lastSuccessfulModeIsTriedFirst() throws StatusException {
        List<String> verbs = new ArrayList<>();
        Authorizer authorizer = refusing(Decision.NoOpinion.SILENT, "carol");
        ImpersonationFilter filter = new ImpersonationFilter(attributes -> {
            verbs.add(attributes.access().verb());
            return authorizer.authorize(attributes);
        });
        filter.admit(call("User: bob"));
        assertThat(verbs).containsExactly("impersonate-on:user-info:list", "impersonate");
        verbs.clear();
        filter.admit(call("User: bob"));
        assertThat(verbs).containsExactly("impersonate");
        assertThatThrownBy(() -> filter.admit(call("User: carol")))
                .hasMessageContaining("cannot impersonate resource \"users\" in API group \"\" at the cluster scope");
    }

    @Test
    void onlyImpersonationBlocks() throws StatusException {
        ImpersonationFilter filter = new ImpersonationFilter(refusing(Decision.NoOpinion.SILENT));
        Call own = TestingIncoming.of("GET", "/version").header("Accept", "*/*").by(ALICE);
        assertThat(filter.admitWithoutBlocking(own)).isTrue();
        assertThat(filter.admitWithoutBlocking(call("User: bob"))).isFalse();
        assertThat(requested).isEmpty();
    }
}
