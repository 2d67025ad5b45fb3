package io.plat.apiserver.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A caller that arrives during a request must not get its response, which may be outdated. */
final class CoalescedRequestTest {
    private final List<CompletableFuture<Long>> requested = new ArrayList<>();
    private final CoalescedRequest request = new CoalescedRequest(() -> {
        var response = new CompletableFuture<Long>();
        requested.add(response);
        return response;
    });

    @Test
    void lateCallerJoinsTheNextRequest() {
        CompletableFuture<Long> first = request.send();
        CompletableFuture<Long> second = request.send();
        CompletableFuture<Long> third = request.send();
        assertThat(requested).hasSize(1);
        requested.getFirst().complete(1L);
        assertThat(first).isCompletedWithValue(1L);
        assertThat(second).isNotDone();
        assertThat(requested).hasSize(2);
        requested.getLast().complete(2L);
        assertThat(second).isCompletedWithValue(2L);
        assertThat(third).isCompletedWithValue(2L);
        assertThat(request.send()).isNotDone();
        assertThat(requested).hasSize(3);
    }

    @Test
    void failureAffectsOnlyItsCallers() {
        CompletableFuture<Long> first = request.send();
        CompletableFuture<Long> second = request.send();
        requested.getFirst().completeExceptionally(new IllegalStateException("no"));
        assertThat(first).isCompletedExceptionally();
        requested.getLast().complete(2L);
        assertThat(second).isCompletedWithValue(2L);
    }
}
