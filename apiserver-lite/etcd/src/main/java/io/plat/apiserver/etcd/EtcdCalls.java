package io.plat.apiserver.etcd;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls of the members, with what becomes of them where one fails. */
final class EtcdCalls {
    private final EtcdMembers members;

    EtcdCalls(EtcdMembers members) {
        this.members = members;
    }

    /** Asks what changes nothing: one member after the other, each once, until one answers. */
    <T> CompletableFuture<T> read(Function<Channel, ListenableFuture<T>> call) {
        return read(call, members.count());
    }

    private <T> CompletableFuture<T> read(Function<Channel, ListenableFuture<T>> call, int attempts) {
        return once(call)
                .exceptionallyCompose(failure -> attempts > 1 && EtcdFailures.ofMember(failure)
                        ? read(call, attempts - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Has one member do something; if it fails the next call goes to another. */
    <T> CompletableFuture<T> once(Function<Channel, ListenableFuture<T>> call) {
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
