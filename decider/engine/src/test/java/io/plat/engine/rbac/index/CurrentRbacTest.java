package io.plat.engine.rbac.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CurrentRbacTest {
    private static final RbacBinding BINDING =
            RbacBinding.roleBinding("a", "b", RoleRef.role("r"), List.of(RbacSubject.user("jane")));

    @Test
    void aChangeBeforeTheFirstLoadIsRefused() {
        CurrentRbac current = new CurrentRbac();
        assertThatThrownBy(() -> current.change(Changes.of(List.of(role("pods")), List.of())))
                .isInstanceOf(IllegalStateException.class);
        assertThat(current.get()).isNull();
    }

    @Test
    void everyIndexHasItsOwnNumber() {
        CurrentRbac current = new CurrentRbac();
        assertThat(current.number()).isZero();
        current.replace(RbacIndex.EMPTY);
        assertThat(current.number()).isEqualTo(1);
        current.change(Changes.of(List.of(role("pods")), List.of()));
        assertThat(current.number()).isEqualTo(2);
        current.replace(RbacIndex.EMPTY);
        assertThat(current.number()).isEqualTo(3);
    }

    /** The role covers one of two resources, and a change replaces it by the other: a decision never sees both or neither. */
    @Test
    void everyDecisionIsMadeByOneStateOfThePolicy() throws Exception {
        CurrentRbac current = new CurrentRbac();
        current.replace(RbacIndex.EMPTY.with(Changes.of(List.of(role("pods"), BINDING), List.of())));
        AtomicBoolean done = new AtomicBoolean();
        Callable<Integer> reader = () -> {
            int seen = 0;
            while (!done.get() || seen == 0) {
                RbacIndex index = current.get();
                RbacAuthorizer authorizer = RbacAuthorizer.of(index == null ? RbacIndex.EMPTY : index, "");
                boolean pods = authorizer.authorize(get("pods")) instanceof Decision.Allow;
                boolean secrets = authorizer.authorize(get("secrets")) instanceof Decision.Allow;
                assertThat(pods).isNotEqualTo(secrets);
                seen++;
            }
            return seen;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(threads.submit(reader));
            }
            for (int i = 0; i < 2_000; i++) {
                current.change(Changes.of(List.of(role(i % 2 == 0 ? "secrets" : "pods")), List.of()));
            }
            done.set(true);
            for (Future<Integer> each : readers) {
                assertThat(each.get()).isPositive();
            }
        }
    }

    private static RbacRole role(String resource) {
        return RbacRole.role("a", "r", List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of(resource))));
    }

    private static Attributes get(String resource) {
        return new Attributes(
                new UserInfo("jane", List.of()), new ResourceAttributes("a", "get", "", "v1", resource, "", ""));
    }
}
