package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FollowerProgressTest {
    private final FollowerProgress progress = new FollowerProgress();

    @Test
    void readRevisionIsNotYetInEffect() {
        CompletableFuture<@Nullable Void> reached = progress.waiters("roles").of(5);
        progress.read("roles", 5);
        assertThat(reached).isNotDone();
        progress.markEffective();
        assertThat(reached).isCompleted();
    }

    @Test
    void revisionInEffectIsNotAwaited() {
        progress.read("roles", 5);
        progress.markEffective();
        assertThat(progress.waiters("roles").of(5)).isCompleted();
        assertThat(progress.waiters("roles").of(4)).isCompleted();
        assertThat(progress.waiters("roles").of(6)).isNotDone();
    }

    @Test
    void resourcesAdvanceIndependently() {
        CompletableFuture<@Nullable Void> role = progress.waiters("roles").of(5);
        CompletableFuture<@Nullable Void> binding = progress.waiters("bindings").of(4);
        progress.read("bindings", 9);
        progress.markEffective();
        assertThat(binding).isCompleted();
        assertThat(role).isNotDone();
    }

    @Test
    void abandonedWaiterIsRemoved() {
        CompletableFuture<@Nullable Void> reached = progress.waiters("roles").of(5);
        progress.waiters("roles").cancel(reached);
        progress.read("roles", 5);
        progress.markEffective();
        assertThat(reached).isNotDone();
    }
}
