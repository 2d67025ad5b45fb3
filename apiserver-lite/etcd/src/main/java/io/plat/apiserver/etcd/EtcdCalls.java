package io.plat.apiserver.etcd;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.etcd.RequestObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls to etcd members, with failover. Each call has a name for the observer, and the key that it concerns; {@code ""} for none. */
record EtcdCalls(EtcdMembers members, RequestObserver observer) {
    /** Timeout of one member while others are available: during an election, members of etcd 3.4 drop requests without an error. */
    private static final long MEMBER_TIMEOUT_MILLIS = 1_500;

    /** Sends a read-only request to the members in turn, each once, until one responds. */
    <T> CompletableFuture<T> read(String operation, String key, Function<Channel, ListenableFuture<T>> call) {
        return observed(operation, key, () -> read(call, members.count()), EtcdFailures::reading);
    }

    private <T> CompletableFuture<T> read(Function<Channel, ListenableFuture<T>> call, int attempts) {
        return attempt(
                        attempts > 1
                                ? channel -> call.apply(ClientInterceptors.intercept(channel, new ShortDeadline()))
                                : call)
                .exceptionallyCompose(failure -> attempts > 1 && EtcdFailures.ofMember(failure)
                        ? read(call, attempts - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Sends a write to one member; after a failure the next call uses another member. */
    <T> CompletableFuture<T> once(String operation, String key, Function<Channel, ListenableFuture<T>> call) {
        return observed(operation, key, () -> attempt(call), EtcdFailures::writing);
    }

    private <T> CompletableFuture<T> observed(
            String operation,
            String key,
            Supplier<CompletableFuture<T>> request,
            Function<Throwable, StorageException> translation) {
        long began = System.nanoTime();
        return request.get()
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(translation.apply(EtcdFailures.cause(failure))))
                .whenComplete((answer, failure) ->
                        observer.completed(operation, key, System.nanoTime() - began, failure != null));
    }

    private static final class ShortDeadline implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return next.newCall(method, options.withDeadlineAfter(MEMBER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    private <T> CompletableFuture<T> attempt(Function<Channel, ListenableFuture<T>> call) {
        ManagedChannel member = members.current();
        var answer = new CompletableFuture<T>();
        Futures.addCallback(
                call.apply(member),
                new FutureCallback<T>() {
                    @Override
                    public void onSuccess(@Nullable T result) {
                        answer.complete(result);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        if (EtcdFailures.ofMember(failure)) {
                            members.failed(member);
                        } else if (EtcdFailures.ofClient(failure)) {
                            // The connection may be that of a certificate that was replaced since.
                            member.enterIdle();
                        }
                        answer.completeExceptionally(failure);
                    }
                },
                MoreExecutors.directExecutor());
        return answer;
    }
}
