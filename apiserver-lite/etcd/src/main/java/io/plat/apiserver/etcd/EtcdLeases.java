package io.plat.apiserver.etcd;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Prolongs leases, one question and one answer a stream. */
final class EtcdLeases implements StreamObserver<LeaseKeepAliveResponse> {
    private final CompletableFuture<Boolean> prolonged = new CompletableFuture<>();

    private EtcdLeases() {}

    static CompletableFuture<Boolean> prolong(Channel member, long lease, int seconds) {
        var answer = new EtcdLeases();
        StreamObserver<LeaseKeepAliveRequest> requests = LeaseGrpc.newStub(member)
                .withDeadlineAfter(seconds, TimeUnit.SECONDS)
                .leaseKeepAlive(answer);
        requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(lease).build());
        requests.onCompleted();
        return answer.prolonged;
    }

    @Override
    public void onNext(LeaseKeepAliveResponse response) {
        prolonged.complete(response.getTTL() > 0);
    }

    @Override
    public void onError(Throwable failure) {
        prolonged.completeExceptionally(EtcdFailures.reading(failure));
    }

    @Override
    public void onCompleted() {
        prolonged.complete(false);
    }
}
