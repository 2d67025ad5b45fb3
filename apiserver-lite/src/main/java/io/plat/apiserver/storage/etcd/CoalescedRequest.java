package io.plat.apiserver.storage.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces requests: one response serves all callers that arrived before the request was sent; callers during a request in progress share
 * the next one.
 */
final class CoalescedRequest {
    private final Supplier<CompletableFuture<Long>> request;
    private boolean inProgress;
    private @Nullable CompletableFuture<Long> next;

    CoalescedRequest(Supplier<CompletableFuture<Long>> request) {
        this.request = request;
    }

    /** Returns the response to a request that is sent from now on. */
    CompletableFuture<Long> send() {
        CompletableFuture<Long> own;
        synchronized (this) {
            if (inProgress) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            inProgress = true;
            own = new CompletableFuture<>();
        }
        complete(own);
        return own;
    }

    private void complete(CompletableFuture<Long> waiting) {
        var _ = request.get().whenComplete((response, failure) -> {
            CompletableFuture<Long> following = following();
            if (following != null) {
                complete(following);
            }
            if (failure == null) {
                waiting.complete(response);
            } else {
                waiting.completeExceptionally(failure);
            }
        });
    }

    private synchronized @Nullable CompletableFuture<Long> following() {
        CompletableFuture<Long> following = next;
        next = null;
        inProgress = following != null;
        return following;
    }
}
