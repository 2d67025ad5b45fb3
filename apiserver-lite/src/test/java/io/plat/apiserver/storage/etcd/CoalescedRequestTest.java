package io.plat.apiserver.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A caller that arrives during a request must not get its response, which may be outdated. */
final class CoalescedRequestTest {
    private final List<CompletableFuture<Long>> requested = new ArrayList<>();
    private final CoalescedRequest question = new CoalescedRequest(() -> {
        var answer = new CompletableFuture<Long>();
        requested.add(answer);
        return answer;
    });

    @Test
    void lateCallerJoinsTheNextRequest() {
        CompletableFuture<Long> first = question.answer();
        CompletableFuture<Long> second = question.answer();
        CompletableFuture<Long> third = question.answer();
        assertThat(requested).hasSize(1);
        requested.getFirst().complete(1L);
        assertThat(first).isCompletedWithValue(1L);
        assertThat(second).isNotDone();
        assertThat(requested).hasSize(2);
        requested.getLast().complete(2L);
        assertThat(second).isCompletedWithValue(2L);
        assertThat(third).isCompletedWithValue(2L);
        assertThat(question.answer()).isNotDone();
        assertThat(requested).hasSize(3);
    }

    @Test
    void failureAffectsOnlyItsCallers() {
        CompletableFuture<Long> first = question.answer();
        CompletableFuture<Long> second = question.answer();
        requested.getFirst().completeExceptionally(new IllegalStateException("no"));
        assertThat(first).isCompletedExceptionally();
        requested.getLast().complete(2L);
        assertThat(second).isCompletedWithValue(2L);
    }
}
