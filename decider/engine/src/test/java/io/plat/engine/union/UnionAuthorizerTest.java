package io.plat.engine.union;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.FixedGrant;
import io.plat.engine.FromMemory;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class UnionAuthorizerTest {
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("jane", List.of()), new NonResourceAttributes("/version", "get"));
    private static final Allow ALLOW = FixedGrant.allow("A", "a flag", "because");
    private static final Deny DENY = new Deny("denied");
    private static final NoOpinion NONE = new NoOpinion("no opinion");
    private static final Undecided FAILED = new Undecided(Cause.FAILED, "unreachable");
    private static final Undecided NOT_LOADED = new Undecided(Cause.NOT_LOADED, "not loaded yet");

    static Stream<Arguments> decisions() {
        return Stream.of(
                Arguments.of(List.of(ALLOW), ALLOW),
                Arguments.of(List.of(DENY, ALLOW), ALLOW),
                Arguments.of(List.of(NONE, ALLOW), ALLOW),
                Arguments.of(List.of(FAILED, ALLOW), ALLOW),
                Arguments.of(List.of(NOT_LOADED, DENY, ALLOW), ALLOW),
                Arguments.of(List.of(DENY), DENY),
                Arguments.of(List.of(NONE), NONE),
                Arguments.of(List.of(NONE, NONE), new NoOpinion("no opinion")),
                Arguments.of(List.of(NONE, DENY), new Deny("no opinion; denied")),
                Arguments.of(List.of(NONE, DENY, NONE, DENY), new Deny("no opinion; denied")),
                Arguments.of(List.of(NoOpinion.SILENT, DENY), DENY),
                Arguments.of(List.of(NoOpinion.SILENT, NoOpinion.SILENT), NoOpinion.SILENT),
                Arguments.of(List.of(DENY, FAILED), new Undecided(Cause.FAILED, "m1: unreachable")),
                Arguments.of(List.of(FAILED, DENY), new Undecided(Cause.FAILED, "m0: unreachable")),
                Arguments.of(List.of(NOT_LOADED, NONE), new Undecided(Cause.NOT_LOADED, "m0: not loaded yet")),
                Arguments.of(
                        List.of(NOT_LOADED, FAILED),
                        new Undecided(Cause.FAILED, "m0: not loaded yet; m1: unreachable")),
                Arguments.of(List.of(new Undecided(Cause.FAILED, ""), NONE), new Undecided(Cause.FAILED, "m0")));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void thereIsNoVetoAndFailuresAreKept(List<Decision> members, Decision together) {
        UnionAuthorizer consulted =
                union(members.stream().<Authorizer>map(d -> request -> d).toList());
        assertThat(consulted.authorize(REQUEST)).isEqualTo(together);
        UnionAuthorizer known = union(members.stream()
                .<Authorizer>map(d -> new FromMemory(request -> d))
                .toList());
        assertThat(known.decideFromMemory(REQUEST)).isEqualTo(together);
    }

    @Test
    void membersAreCalledInOrderUntilOneAllows() {
        List<String> consulted = new ArrayList<>();
        Authorizer refuses = request -> {
            consulted.add("refuses");
            return DENY;
        };
        Authorizer allows = request -> {
            consulted.add("allows");
            return ALLOW;
        };
        assertThat(union(List.of(refuses, allows, refuses)).authorize(REQUEST)).isSameAs(ALLOW);
        assertThat(consulted).containsExactly("refuses", "allows");
    }

    static Stream<Authorizer> broken() {
        return Stream.of(
                request -> {
                    throw new IllegalStateException("token abc");
                },
                request -> {
                    throw new NoClassDefFoundError("com/example/Gone");
                },
                request -> {
                    throw new StackOverflowError();
                },
                UnionAuthorizerTest::nothing);
    }

    @SuppressWarnings("NullAway") // A plug-in that was compiled without null checks.
    private static Decision nothing(Attributes request) {
        return null;
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aMemberThatThrowsHasFailed(Authorizer broken) {
        assertThat(union(List.of(broken, request -> DENY)).authorize(REQUEST))
                .isInstanceOfSatisfying(Undecided.class, undecided -> {
                    assertThat(undecided.cause()).isEqualTo(Cause.FAILED);
                    assertThat(undecided.reason()).startsWith("m0: threw ").doesNotContain("abc");
                });
        assertThat(union(List.of(broken, request -> ALLOW)).authorize(REQUEST)).isSameAs(ALLOW);
        assertThat(union(List.of(broken)).authorize(REQUEST)).isInstanceOf(Undecided.class);
    }

    @Test
    void onlyDenyAndAllowTogetherAllow() {
        assertThat(union(List.of(new AlwaysDeny(), new AlwaysAllow())).authorize(REQUEST))
                .isInstanceOf(Allow.class);
        assertThat(union(List.of(new AlwaysDeny())).authorize(REQUEST)).isInstanceOf(Deny.class);
    }

    @Test
    void decidesFromMemoryUpToTheFirstBlockingMember() {
        Authorizer remote = request -> ALLOW;
        assertThat(union(List.of(new AlwaysDeny(), new AlwaysAllow(), remote)).decideFromMemory(REQUEST))
                .isInstanceOf(Allow.class);
        assertThat(union(List.of(new AlwaysDeny(), remote, new AlwaysAllow())).decideFromMemory(REQUEST))
                .isNull();
    }

    @Test
    void aThrowingNonBlockingCallHasFailed() {
        Authorizer broken = new FromMemory(request -> {
            throw new IllegalStateException("token abc");
        });
        assertThat(union(List.of(broken, new AlwaysDeny())).decideFromMemory(REQUEST))
                .isEqualTo(new Undecided(Cause.FAILED, "m0: threw IllegalStateException"));
    }

    @Test
    void aMemberCanBeReplacedByItsName() {
        UnionAuthorizer before =
                new UnionAuthorizer(List.of(new Member("A", request -> DENY), new Member("B", request -> NONE)));
        UnionAuthorizer after = before.with(new Member("B", request -> ALLOW));
        assertThat(after.authorize(REQUEST)).isSameAs(ALLOW);
        assertThat(before.authorize(REQUEST)).isInstanceOf(Deny.class);
        assertThat(before.with(new Member("C", request -> ALLOW)).authorize(REQUEST))
                .isInstanceOf(Deny.class);
    }

    @Test
    void anEmptyUnionIsRefused() {
        assertThatThrownBy(() -> new UnionAuthorizer(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mastersAreAllowedBeforeAnyMode() {
        Authorizer modes = ExemptingAuthorizer.ofMasters(request -> FAILED);
        Attributes master = new Attributes(new UserInfo("root", List.of("x", "system:masters")), REQUEST.access());
        Attributes named = new Attributes(new UserInfo("system:masters", List.of("masters")), REQUEST.access());
        assertThat(modes.authorize(master)).isInstanceOf(Allow.class);
        assertThat(modes.authorize(REQUEST)).isSameAs(FAILED);
        assertThat(modes.authorize(named)).isSameAs(FAILED);
        assertThat(modes.decideFromMemory(master)).isInstanceOf(Allow.class);
        assertThat(modes.decideFromMemory(REQUEST)).isNull();
        assertThat(ExemptingAuthorizer.ofMasters(new AlwaysDeny()).decideFromMemory(REQUEST))
                .isInstanceOf(Deny.class);
    }

    private static UnionAuthorizer union(List<Authorizer> authorizers) {
        List<Member> members = new ArrayList<>();
        for (Authorizer authorizer : authorizers) {
            members.add(new Member("m" + members.size(), authorizer));
        }
        return new UnionAuthorizer(members);
    }
}
