package io.plat.apiserver.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import io.plat.apiserver.storage.etcd.FeedListener;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keys and values below one prefix of etcd. */
final class EtcdKeys implements RemoteKeys {
    /** Timeout of a call to one member, in seconds. */
    private static final int SECONDS = 4;

    private final EtcdCalls calls;
    private final EtcdNames names;

    EtcdKeys(EtcdCalls calls, EtcdNames names) {
        this.calls = calls;
        this.names = names;
    }

    private static KVGrpc.KVFutureStub keys(Channel channel) {
        return KVGrpc.newFutureStub(channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    private static LeaseGrpc.LeaseFutureStub leases(Channel channel) {
        return LeaseGrpc.newFutureStub(channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public CompletableFuture<Newest> newest(String key) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(names.name(key))
                .setKeysOnly(true)
                .build();
        return calls.read("revision", "", channel -> keys(channel).range(request))
                .thenApply(response -> new Newest(
                        response.getHeader().getRevision(),
                        response.getKvsCount() == 0 ? 0 : response.getKvs(0).getModRevision()));
    }

    @Override
    public CompletableFuture<ListResult> list(String after, int limit, long revision) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(names.startAfter(after))
                .setRangeEnd(names.end())
                .setLimit(limit)
                .setRevision(revision)
                .build();
        return calls.read("list", "", channel -> keys(channel).range(request))
                .<ListResult>thenApply(response -> new ListResult.Found(page(response, revision)))
                .exceptionallyCompose(failure -> EtcdFailures.compacted(failure)
                        ? CompletableFuture.completedFuture(new ListResult.Compacted())
                        : CompletableFuture.failedFuture(failure));
    }

    private Page page(RangeResponse response, long requested) {
        return new Page(
                response.getKvsList().stream().map(names::value).toList(),
                response.getMore(),
                requested == 0 ? response.getHeader().getRevision() : requested);
    }

    @Override
    public CompletableFuture<@Nullable Value> get(String key) {
        RangeRequest request = RangeRequest.newBuilder().setKey(names.name(key)).build();
        return calls.read("get", key, channel -> keys(channel).range(request))
                .thenApply(response -> response.getKvsCount() == 0 ? null : names.value(response.getKvs(0)));
    }

    @Override
    public CompletableFuture<WriteResult> write(RemoteWrite write) {
        TxnRequest.Builder transaction = TxnRequest.newBuilder();
        for (RemoteWrite.Expected expected : write.expectations()) {
            transaction.addCompare(comparison(expected));
            transaction.addFailure(RequestOp.newBuilder()
                    .setRequestRange(RangeRequest.newBuilder().setKey(names.name(expected.key()))));
        }
        transaction.addSuccess(change(write, true));
        TxnRequest request = transaction.build();
        return calls.once(
                        operation(write), write.key(), channel -> keys(channel).txn(request))
                .thenApply(response -> response.getSucceeded() ? done(response) : refused(response));
    }

    private static String operation(RemoteWrite write) {
        if (write.bytes() == null) {
            return "delete";
        }
        boolean creates = write.expectations().stream()
                .anyMatch(expected -> expected.key().equals(write.key()) && expected.revision() == 0);
        return creates ? "create" : "update";
    }

    private Compare comparison(RemoteWrite.Expected expected) {
        return Compare.newBuilder()
                .setKey(names.name(expected.key()))
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(expected.revision())
                .build();
    }

    private RequestOp change(RemoteWrite write, boolean withPrevious) {
        ByteString name = names.name(write.key());
        byte[] bytes = write.bytes();
        return bytes == null
                ? RequestOp.newBuilder()
                        .setRequestDeleteRange(
                                DeleteRangeRequest.newBuilder().setKey(name).setPrevKv(withPrevious))
                        .build()
                : RequestOp.newBuilder()
                        .setRequestPut(PutRequest.newBuilder()
                                .setKey(name)
                                .setValue(UnsafeByteOperations.unsafeWrap(bytes))
                                .setLease(write.lease())
                                .setPrevKv(withPrevious))
                        .build();
    }

    @Override
    public CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition) {
        TxnRequest.Builder transaction = TxnRequest.newBuilder().addCompare(comparison(condition));
        changes.forEach(one -> transaction.addSuccess(change(one, false)));
        TxnRequest request = transaction.build();
        return calls.once("update", "", channel -> keys(channel).txn(request)).thenApply(TxnResponse::getSucceeded);
    }

    private WriteResult done(TxnResponse response) {
        ResponseOp one = response.getResponses(0);
        Value previous = null;
        if (one.hasResponsePut() && one.getResponsePut().hasPrevKv()) {
            previous = names.value(one.getResponsePut().getPrevKv());
        } else if (one.hasResponseDeleteRange() && one.getResponseDeleteRange().getPrevKvsCount() > 0) {
            previous = names.value(one.getResponseDeleteRange().getPrevKvs(0));
        }
        return new WriteResult.Done(response.getHeader().getRevision(), previous);
    }

    private WriteResult refused(TxnResponse response) {
        var actual = new ArrayList<@Nullable Value>();
        for (ResponseOp one : response.getResponsesList()) {
            RangeResponse range = one.getResponseRange();
            actual.add(range.getKvsCount() == 0 ? null : names.value(range.getKvs(0)));
        }
        return new WriteResult.Refused(actual, response.getHeader().getRevision());
    }

    @Override
    public Feed follow(long from, FeedListener listener) {
        return EtcdFeed.start(new EtcdFeed.Source(calls, names, this), from, listener);
    }

    @Override
    public CompletableFuture<@Nullable Void> compact(long revision) {
        CompactionRequest request =
                CompactionRequest.newBuilder().setRevision(revision).build();
        return calls.once("compact", "", channel -> keys(channel).compact(request))
                .<@Nullable Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> EtcdFailures.compacted(failure)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<Long> lease(long seconds) {
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(seconds).build();
        // A lease whose grant was not reported expires without keys.
        return calls.read("lease", "", channel -> leases(channel).leaseGrant(request))
                .thenApply(LeaseGrantResponse::getID);
    }

    @Override
    public CompletableFuture<Boolean> renew(long lease) {
        var renewed = new CompletableFuture<Boolean>();
        // One request and one response per stream.
        StreamObserver<LeaseKeepAliveRequest> requests = LeaseGrpc.newStub(
                        calls.members().current())
                .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
                .leaseKeepAlive(new StreamObserver<>() {
                    @Override
                    public void onNext(LeaseKeepAliveResponse response) {
                        renewed.complete(response.getTTL() > 0);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        renewed.completeExceptionally(EtcdFailures.reading(failure));
                    }

                    @Override
                    public void onCompleted() {
                        renewed.complete(false);
                    }
                });
        requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(lease).build());
        requests.onCompleted();
        return renewed;
    }

    @Override
    public CompletableFuture<Long> remaining(long lease) {
        LeaseTimeToLiveRequest request =
                LeaseTimeToLiveRequest.newBuilder().setID(lease).build();
        return calls.read("lease", "", channel -> leases(channel).leaseTimeToLive(request))
                .thenApply(LeaseTimeToLiveResponse::getTTL);
    }

    @Override
    public CompletableFuture<@Nullable Void> release(long lease) {
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease).build();
        return calls.once("lease", "", channel -> leases(channel).leaseRevoke(request))
                .thenApply(done -> null);
    }

    @Override
    public CompletableFuture<Long> size() {
        return calls.read(
                        "status",
                        "",
                        channel -> MaintenanceGrpc.newFutureStub(channel)
                                .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
                                .status(StatusRequest.getDefaultInstance()))
                .thenApply(StatusResponse::getDbSize);
    }

    @Override
    public void close() {
        calls.members().close();
    }
}
