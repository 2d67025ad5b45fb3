package io.plat.apiserver.storage.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces requests: one response serves all callers that came before the request was sent; callers during a request in progress share
 * the next one.
 */
final class CoalescedRequest {
    private final Supplier<CompletableFuture<Long>> ask;
    private boolean asking;
    private @Nullable CompletableFuture<Long> next;

    CoalescedRequest(Supplier<CompletableFuture<Long>> ask) {
        this.ask = ask;
    }

    /** Returns the response to a request that is sent from now on. */
    CompletableFuture<Long> answer() {
        CompletableFuture<Long> own;
        synchronized (this) {
            if (asking) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            asking = true;
            own = new CompletableFuture<>();
        }
        ask(own);
        return own;
    }

    private void ask(CompletableFuture<Long> waiting) {
        var _ = ask.get().whenComplete((answer, failure) -> {
            CompletableFuture<Long> following = following();
            if (following != null) {
                ask(following);
            }
            if (failure == null) {
                waiting.complete(answer);
            } else {
                waiting.completeExceptionally(failure);
            }
        });
    }

    private synchronized @Nullable CompletableFuture<Long> following() {
        CompletableFuture<Long> following = next;
        next = null;
        asking = following != null;
        return following;
    }
}
