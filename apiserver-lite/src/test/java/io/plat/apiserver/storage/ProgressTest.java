package io.plat.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final Progress progress = new Progress();

    @Test
    void readRevisionIsNotYetInEffect() {
        CompletableFuture<Boolean> reached = progress.until("roles", 5);
        progress.read("roles", 5);
        assertThat(reached).isNotDone();
        progress.markEffective();
        assertThat(reached).isCompletedWithValue(true);
        assertThat(progress.waiting()).isZero();
    }

    @Test
    void revisionInEffectIsNotAwaited() {
        progress.read("roles", 5);
        progress.markEffective();
        assertThat(progress.until("roles", 5)).isCompletedWithValue(true);
        assertThat(progress.until("roles", 4)).isCompletedWithValue(true);
        assertThat(progress.until("roles", 6)).isNotDone();
    }

    @Test
    void resourcesAdvanceIndependently() {
        CompletableFuture<Boolean> role = progress.until("roles", 5);
        CompletableFuture<Boolean> binding = progress.until("bindings", 4);
        progress.read("bindings", 9);
        progress.markEffective();
        assertThat(binding).isCompletedWithValue(true);
        assertThat(role).isNotDone();
    }

    @Test
    void abandonedWaiterIsRemoved() {
        CompletableFuture<Boolean> reached = progress.until("roles", 5);
        assertThat(progress.waiting()).isEqualTo(1);
        progress.cancel(reached);
        assertThat(progress.waiting()).isZero();
        progress.read("roles", 5);
        progress.markEffective();
        assertThat(reached).isNotDone();
    }
}
