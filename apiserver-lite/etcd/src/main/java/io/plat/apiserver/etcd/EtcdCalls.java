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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls of the members, with what becomes of them where one fails. */
final class EtcdCalls {
    /** The time that one member may take while another can be asked: a member of 3.4 loses questions in an election, and does not say so. */
    private static final long MILLIS_OF_ONE = 1_500;

    private final EtcdMembers members;

    EtcdCalls(EtcdMembers members) {
        this.members = members;
    }

    /** Asks what changes nothing: one member after the other, each once, until one answers. */
    <T> CompletableFuture<T> read(Function<Channel, ListenableFuture<T>> call) {
        return translated(read(call, members.count()), EtcdFailures::reading);
    }

    private <T> CompletableFuture<T> read(Function<Channel, ListenableFuture<T>> call, int attempts) {
        return attempt(attempts > 1 ? channel -> call.apply(ClientInterceptors.intercept(channel, new Soon())) : call)
                .exceptionallyCompose(failure -> attempts > 1 && EtcdFailures.ofMember(failure)
                        ? read(call, attempts - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Has one member do something; if it fails the next call goes to another. */
    <T> CompletableFuture<T> once(Function<Channel, ListenableFuture<T>> call) {
        return translated(attempt(call), EtcdFailures::writing);
    }

    private static <T> CompletableFuture<T> translated(
            CompletableFuture<T> answer, Function<Throwable, StorageException> translation) {
        return answer.exceptionallyCompose(
                failure -> CompletableFuture.failedFuture(translation.apply(EtcdFailures.cause(failure))));
    }

    /** Ends calls earlier than they say themselves. */
    private static final class Soon implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return next.newCall(method, options.withDeadlineAfter(MILLIS_OF_ONE, TimeUnit.MILLISECONDS));
        }
    }

    private <T> CompletableFuture<T> attempt(Function<Channel, ListenableFuture<T>> call) {
        ManagedChannel member = members.present();
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
                        }
                        answer.completeExceptionally(failure);
                    }
                },
                MoreExecutors.directExecutor());
        return answer;
    }
}
