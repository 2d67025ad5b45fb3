package io.plat.apiserver.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.metrics.InFlightRequests;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.http.FairLimit;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class FiltersTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of("dev"));
    private static final UserInfo BOB = new UserInfo("bob", List.of("dev"));
    private static final UserInfo MASTER = new UserInfo("root", List.of("system:masters"));

    private record TestingGrant() implements Grant {
        @Override
        public String authorizer() {
            return "Test";
        }

        @Override
        public String source() {
            return "test:1";
        }

        @Override
        public String rule() {
            return "all";
        }

        @Override
        public String reason() {
            return "allowed by test:1";
        }
    }

    private static void refusedWith(int code, ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(code));
    }

    private static Authorizer decides(Decision decision) {
        return attributes -> decision;
    }

    @Test
    void onlyAllowForwardsARequest() throws StatusException {
        Call call = TestingIncoming.of("GET", "/api/v1/pods").by(ALICE);
        assertThatCode(() -> new AuthorizationFilter(decides(new Decision.Allow(new TestingGrant()))).admit(call))
                .doesNotThrowAnyException();
        refusedWith(403, () -> new AuthorizationFilter(decides(new Decision.Deny("no"))).admit(call));
        refusedWith(403, () -> new AuthorizationFilter(decides(Decision.NoOpinion.SILENT)).admit(call));
        assertThat(new AuthorizationFilter(decides(new Decision.Deny("no"))).admitWithoutBlocking(call))
                .as("an authorizer that may block is called on a thread that may wait")
                .isFalse();
        assertThat(new AuthorizationFilter(new AlwaysAllow()).admitWithoutBlocking(call))
                .isTrue();
        refusedWith(403, () -> new AuthorizationFilter(new AlwaysDeny()).admitWithoutBlocking(call));
        for (Decision.Cause cause : Decision.Cause.values()) {
            refusedWith(500, () -> new AuthorizationFilter(decides(new Decision.Undecided(cause, "why"))).admit(call));
        }
    }

    @Test
    void listenersReceiveCompletedDecisionsOnly() throws StatusException {
        List<String> notified = new ArrayList<>();
        boolean[] listens = {true};
        DecisionListener listener = new DecisionListener() {
            @Override
            public boolean listens() {
                return listens[0];
            }

            @Override
            public void decided(Call call, Decision decision, long nanos) {
                notified.add(call.user().name() + " " + decision + " " + (nanos >= 0));
            }
        };
        Call call = TestingIncoming.of("GET", "/api/v1/pods").by(ALICE);
        AuthorizationFilter denies = new AuthorizationFilter(decides(new Decision.Deny("no")), listener);
        assertThat(denies.admitWithoutBlocking(call)).isFalse();
        assertThat(notified).isEmpty();
        refusedWith(403, () -> denies.admit(call));
        new AuthorizationFilter(new AlwaysAllow(), listener).admitWithoutBlocking(call);
        assertThat(notified)
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("alice " + new Decision.Deny("no") + " true"),
                        second -> assertThat(second).startsWith("alice Allow").endsWith(" true"));
        listens[0] = false;
        new AuthorizationFilter(new AlwaysAllow(), listener).admitWithoutBlocking(call);
        assertThat(notified).hasSize(2);
    }

    @Test
    void authorizerReceivesTheGroupNameOfThePath() throws StatusException {
        List<Attributes> requested = new ArrayList<>();
        Authorizer records = attributes -> {
            requested.add(attributes);
            return new Decision.Allow(new TestingGrant());
        };
        for (String group : List.of("rbac.authorization.plat.io", "rbac.authorization.k8s.io")) {
            new AuthorizationFilter(records)
                    .admit(TestingIncoming.of("GET", "/apis/" + group + "/v1/clusterroles")
                            .by(ALICE));
        }
        assertThat(requested)
                .extracting(attributes -> attributes.access().toString())
                .satisfiesExactly(
                        first -> assertThat(first).contains("rbac.authorization.plat.io"),
                        second -> assertThat(second).contains("rbac.authorization.k8s.io"));
    }

    /** The bytes of a field are read as UTF-8 with replacement characters, so that users of different bytes would be one. */
    @Test
    void aNameThatIsNotUtf8IsRefusedForEveryClient() throws StatusException {
        AuthenticationFilter filter = new AuthenticationFilter(
                credentials -> new Authenticated(ALICE), name -> name.regionMatches(true, 0, "X-Remote-", 0, 9));
        for (String name : List.of("X-Remote-User", "x-remote-group", "Impersonate-User", "impersonate-extra-a")) {
            TestingIncoming odd =
                    TestingIncoming.of("GET", "/").header(name, "b").header(name, "jos\ufffd");
            refusedWith(400, () -> filter.admit(new Call(odd)));
            filter.admit(new Call(TestingIncoming.of("GET", "/").header(name, "jos\u00e9")));
        }
        filter.admit(new Call(TestingIncoming.of("GET", "/").header("User-Agent", "\ufffd")));
    }

    @Test
    void rejectedCredentialIs401WithoutDetails() {
        AuthenticationFilter filter =
                new AuthenticationFilter(credentials -> new Refused("secret detail"), name -> false);
        assertThatThrownBy(() -> filter.admit(new Call(TestingIncoming.of("GET", "/version"))))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(401);
                    assertThat(e.status().message()).isEqualTo("Unauthorized");
                    assertThat(e.status().details()).isNull();
                });
    }

    @Test
    void undecidedCredentialIsNot401() {
        AuthenticationFilter filter =
                new AuthenticationFilter(credentials -> new Undecided("secret detail"), name -> false);
        assertThatThrownBy(() -> filter.admit(new Call(TestingIncoming.of("GET", "/version"))))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(503);
                    assertThat(e.status().message()).doesNotContain("secret");
                });
    }

    @Test
    void earlyResultsAreKeptInTheCall() throws StatusException {
        Call call = new Call(TestingIncoming.of("GET", "/api/v1/namespaces/a/pods/p"));
        assertThatThrownBy(call::info).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(call::user).isInstanceOf(IllegalStateException.class);
        Call.parseTarget(call);
        new AuthenticationFilter(credentials -> new Authenticated(ALICE), name -> false).admit(call);
        assertThat(call.attributes().user()).isEqualTo(ALICE);
        assertThat(call.info().access().verb()).isEqualTo("get");
    }

    @Test
    void busiestClientLeavesCapacityToOthers() throws StatusException {
        InFlightFilter filter =
                new InFlightFilter(new FairLimit(10), new FairLimit(10), () -> {}, new InFlightRequests());
        for (int i = 0; i < 8; i++) {
            filter.admit(TestingIncoming.of("GET", "/api/v1/pods").by(ALICE));
        }
        Call asAnother = TestingIncoming.of("GET", "/api/v1/pods").by(ALICE);
        asAnother.impersonate(BOB);
        refusedWith(429, () -> filter.admit(asAnother));
        filter.admit(TestingIncoming.of("GET", "/api/v1/pods").by(BOB));
    }

    @Test
    void credentialHeadersAreRemoved() throws StatusException {
        Call call = new Call(TestingIncoming.of("GET", "/version")
                .header("Authorization", "Bearer s3cret")
                .header("X-Remote-User", "bob")
                .header("Accept", "*/*"));
        Call.parseTarget(call);
        AuthenticationFilter filter =
                new AuthenticationFilter(credentials -> new Authenticated(ALICE), name -> name.startsWith("X-Remote-"));
        assertThat(filter.admitWithoutBlocking(call)).isTrue();
        assertThat(call.incoming().headerNames()).containsExactly("Accept");
        assertThat(call.incoming().header("authorization")).isEmpty();
    }

    @Test
    void readsAndWritesHaveSeparateLimits() throws StatusException {
        FairLimit reading = new FairLimit(1);
        FairLimit mutating = new FairLimit(1);
        AtomicInteger refused = new AtomicInteger();
        InFlightRequests inFlight = new InFlightRequests();
        InFlightFilter filter = new InFlightFilter(reading, mutating, refused::incrementAndGet, inFlight);
        TestingIncoming first = TestingIncoming.of("GET", "/api/v1/pods");
        filter.admit(first.by(ALICE));
        refusedWith(
                429,
                () -> filter.admit(TestingIncoming.of("GET", "/api/v1/pods").by(ALICE)));
        filter.admit(TestingIncoming.of("POST", "/api/v1/namespaces").by(ALICE));
        refusedWith(
                429,
                () -> filter.admit(TestingIncoming.of("DELETE", "/api/v1/pods").by(ALICE)));
        filter.admit(TestingIncoming.of("GET", "/api/v1/pods?watch=1").by(ALICE));
        Call master = TestingIncoming.of("GET", "/api/v1/pods").by(MASTER);
        filter.admit(master);
        assertThat(inFlight.reading().sum()).isEqualTo(2);
        assertThat(inFlight.mutating().sum()).isEqualTo(1);
        master.complete();
        master.complete();
        assertThat(inFlight.reading().sum()).isEqualTo(1);
        first.complete();
        assertThat(reading.inUse()).isZero();
        filter.admit(TestingIncoming.of("GET", "/api/v1/pods").by(ALICE));
        assertThat(mutating.inUse()).isEqualTo(1);
        assertThat(refused).hasValue(2);
    }

    @Test
    void chainRunsInOrderAndStopsAtTheFirstRefusal() {
        List<String> ran = new ArrayList<>();
        FilterChain chain =
                new FilterChain(List.of(named("a", ran, false), named("stop", ran, false), named("c", ran, false)));
        refusedWith(403, () -> chain.admitWithoutBlocking(new Call(TestingIncoming.of("GET", "/"))));
        assertThat(ran).containsExactly("a", "stop");
    }

    @Test
    void filtersFromTheFirstBlockingOneRunLater() throws StatusException {
        List<String> ran = new ArrayList<>();
        FilterChain chain =
                new FilterChain(List.of(named("a", ran, false), named("b", ran, true), named("c", ran, false)));
        Call call = new Call(TestingIncoming.of("GET", "/"));
        assertThat(chain.admitWithoutBlocking(call)).isFalse();
        assertThat(ran).containsExactly("a");
        chain.admitRemaining(call);
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void nonBlockingFiltersRunAtOnce() throws StatusException {
        List<String> ran = new ArrayList<>();
        FilterChain chain = new FilterChain(List.of(named("a", ran, false), named("b", ran, false)));
        Call call = new Call(TestingIncoming.of("GET", "/"));
        assertThat(chain.admitWithoutBlocking(call)).isTrue();
        chain.admitRemaining(call);
        assertThat(ran).containsExactly("a", "b");
    }

    private static Filter named(String name, List<String> ran, boolean waits) {
        return new Filter() {
            @Override
            public void admit(Call call) throws StatusException {
                ran.add(name);
                if (name.equals("stop")) {
                    throw new StatusException(io.plat.review.status.StatusReason.FORBIDDEN, "stop");
                }
            }

            @Override
            public boolean admitWithoutBlocking(Call call) throws StatusException {
                if (waits) {
                    return false;
                }
                admit(call);
                return true;
            }
        };
    }
}
