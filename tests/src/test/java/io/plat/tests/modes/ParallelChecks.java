package io.plat.tests.modes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Executes some checks concurrently: servers that have just started are slow. */
final class ParallelChecks {
    private static final int CONCURRENCY = 6;

    private ParallelChecks() {}

    /** One check. */
    @FunctionalInterface
    interface Check<T> {
        void of(T one) throws Exception;
    }

    /** Executes all checks; the first failure in order is thrown. */
    static <T> void each(List<T> all, Check<T> check) {
        try (ExecutorService threads = Executors.newFixedThreadPool(CONCURRENCY)) {
            List<Future<?>> checks = new ArrayList<>();
            for (T one : all) {
                checks.add(threads.submit(() -> {
                    check.of(one);
                    return one;
                }));
            }
            for (Future<?> each : checks) {
                each.get();
            }
        } catch (ExecutionException failed) {
            throw new AssertionError(String.valueOf(failed.getMessage()), failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
