package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.Freshness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Under all faults of a server and the network, decisions follow a past state of each type, and after the faults the current one.
 */
final class FollowingAgreesTest {
    @Property(tries = 100)
    void thePolicyIsAPastStateAndEventuallyTheCurrentOne(@ForAll long seed) throws InterruptedException {
        MoodyServer server = new MoodyServer(seed);
        Random random = new Random(seed);
        Following following = new Following(server, random);
        for (int i = 0; i < 60; i++) {
            following.turn(random.nextInt(4));
            following.check(server);
            if (random.nextInt(3) == 0) {
                server.change(random.nextInt(5));
            }
            if (random.nextInt(40) == 0) {
                server.restore();
            }
        }
        server.calm();
        // A cut, a version that is gone or went back, a list and a watch: what there is to notice takes a few turns.
        // more.
        for (int i = 0; i < 8; i++) {
            for (int kind = 0; kind < 4; kind++) {
                following.turn(kind);
            }
        }
        RbacPolicy policy = following.policy();
        for (RbacKind kind : RbacKind.values()) {
            assertThat(of(policy, kind)).isEqualTo(server.objects(kind));
        }
        int before = following.notifications.get();
        for (int kind = 0; kind < 4; kind++) {
            following.turn(kind);
        }
        assertThat(following.notifications.get())
                .as("no notification without a change")
                .isEqualTo(before);
    }

    private static Set<RbacObject> of(RbacPolicy policy, RbacKind kind) {
        return Stream.concat(policy.roles().stream(), policy.bindings().stream())
                .filter(object -> object.key().kind() == kind)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The followers of all types, one step at a time. */
    private static final class Following {
        private final CurrentRbac current = new CurrentRbac();
        private final AtomicInteger notifications = new AtomicInteger();
        private final List<TypeFollower> followers = new ArrayList<>();
        private long now;

        Following(Transport server, Random random) {
            Progress progress = new Progress(() -> now, new Freshness("roles", Freshness.BOUND));
            SourceLog log = new SourceLog("https://server", () -> now, SourceLog.Lines.LOGGED);
            TypeFollower.Parts parts = new TypeFollower.Parts(
                    new RoleRequests(server, Limits.DEFAULT, Timing.DEFAULT, () -> now),
                    new FollowedObjects(current, notifications::incrementAndGet, progress, log),
                    progress,
                    log,
                    Limits.DEFAULT,
                    Timing.DEFAULT,
                    new TypeFollower.Environment(() -> now, random::nextDouble, pause -> now += pause.toNanos()));
            for (RbacKind kind : RbacKind.values()) {
                followers.add(new TypeFollower(kind, parts));
            }
            Collections.shuffle(followers, random);
        }

        void turn(int kind) throws InterruptedException {
            followers.get(kind).runRound();
        }

        void check(MoodyServer server) {
            RbacIndex index = current.get();
            assertThat(index == null).isEqualTo(notifications.get() == 0);
            if (index != null) {
                for (RbacKind kind : RbacKind.values()) {
                    assertThat(server.everHad(kind, of(index.policy(), kind)))
                            .as("all %s of one time", kind.resource())
                            .isTrue();
                }
            }
        }

        RbacPolicy policy() {
            RbacIndex index = current.get();
            assertThat(index).isNotNull();
            return index.policy();
        }
    }
}
