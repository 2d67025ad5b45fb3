package io.plat.apiserver.watch;

import io.plat.process.FairQueue;
import java.util.concurrent.Executor;

/** Executes tasks on shared threads, on which clients take turns. Thread-safe. */
record FairTurns(Executor threads, FairQueue<Runnable> waiting) {
    FairTurns(Executor threads) {
        this(threads, new FairQueue<>());
    }

    /**
     * Executes a task of a client.
     *
     * @throws RejectedExecutionException if the threads have stopped
     */
    void execute(String client, Runnable task) {
        synchronized (waiting) {
            waiting.add(client, task);
        }
        threads.execute(() -> next().run());
    }

    private Runnable next() {
        synchronized (waiting) {
            return waiting.remove();
        }
    }
}
