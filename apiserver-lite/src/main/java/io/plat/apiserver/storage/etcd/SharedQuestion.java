package io.plat.apiserver.storage.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks one question for all who want to know at the same time. An answer counts only for those who came before it was asked for, so that
 * whoever comes while one is under way shares the next.
 */
final class SharedQuestion {
    private final Supplier<CompletableFuture<Long>> ask;
    private boolean asking;
    private @Nullable CompletableFuture<Long> next;

    SharedQuestion(Supplier<CompletableFuture<Long>> ask) {
        this.ask = ask;
    }

    /** The answer to a question that is asked from now on. */
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
