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
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Channel;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.remote.FeedListener;
import io.plat.apiserver.storage.remote.RemoteKeys;
import io.plat.apiserver.storage.remote.RemoteWrite;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keys and values of one prefix of etcd. */
final class EtcdKeys implements RemoteKeys {
    /** How long one member may take. */
    private static final int SECONDS = 4;

    private final EtcdMembers members;
    private final EtcdNames names;
    private final EtcdCalls calls;

    EtcdKeys(EtcdMembers members, EtcdNames names) {
        this.members = members;
        this.names = names;
        this.calls = new EtcdCalls(members);
    }

    private static KVGrpc.KVFutureStub keys(Channel channel) {
        return KVGrpc.newFutureStub(channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    private static LeaseGrpc.LeaseFutureStub leases(Channel channel) {
        return LeaseGrpc.newFutureStub(channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    private static <T> CompletableFuture<T> translated(
            CompletableFuture<T> answer, Function<Throwable, StorageException> translation) {
        return answer.exceptionallyCompose(
                failure -> CompletableFuture.failedFuture(translation.apply(cause(failure))));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Override
    public CompletableFuture<Long> revision() {
        // Of some key: what is asked for is the header, which a member gives once it has what the majority had.
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(names.name(EtcdFeed.MARK))
                .setKeysOnly(true)
                .build();
        return translated(calls.read(channel -> keys(channel).range(request)), EtcdFailures::reading)
                .thenApply(response -> response.getHeader().getRevision());
    }

    @Override
    public CompletableFuture<Listed> list(String after, int limit, long revision) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(names.behind(after))
                .setRangeEnd(names.end())
                .setLimit(limit)
                .setRevision(revision)
                .build();
        return calls.read(channel -> keys(channel).range(request))
                .<Listed>thenApply(response -> new Listed.Found(page(response, revision)))
                .exceptionallyCompose(failure -> EtcdFailures.compacted(cause(failure))
                        ? CompletableFuture.completedFuture(new Listed.Compacted())
                        : CompletableFuture.failedFuture(EtcdFailures.reading(cause(failure))));
    }

    private Page page(RangeResponse response, long asked) {
        return new Page(
                response.getKvsList().stream().map(names::value).toList(),
                response.getMore(),
                asked == 0 ? response.getHeader().getRevision() : asked);
    }

    @Override
    public CompletableFuture<@Nullable Value> get(String key) {
        RangeRequest request = RangeRequest.newBuilder().setKey(names.name(key)).build();
        return translated(calls.read(channel -> keys(channel).range(request)), EtcdFailures::reading)
                .thenApply(response -> response.getKvsCount() == 0 ? null : names.value(response.getKvs(0)));
    }

    @Override
    public CompletableFuture<Written> write(RemoteWrite write) {
        ByteString name = names.name(write.key());
        TxnRequest.Builder transaction = TxnRequest.newBuilder();
        for (RemoteWrite.Expected expected : write.expectations()) {
            ByteString other = names.name(expected.key());
            transaction.addCompare(Compare.newBuilder()
                    .setKey(other)
                    .setTarget(Compare.CompareTarget.MOD)
                    .setResult(Compare.CompareResult.EQUAL)
                    .setModRevision(expected.revision()));
            transaction.addFailure(RequestOp.newBuilder()
                    .setRequestRange(RangeRequest.newBuilder().setKey(other)));
        }
        byte[] bytes = write.bytes();
        transaction.addSuccess(
                bytes == null
                        ? RequestOp.newBuilder()
                                .setRequestDeleteRange(DeleteRangeRequest.newBuilder()
                                        .setKey(name)
                                        .setPrevKv(true))
                        : RequestOp.newBuilder()
                                .setRequestPut(PutRequest.newBuilder()
                                        .setKey(name)
                                        .setValue(UnsafeByteOperations.unsafeWrap(bytes))
                                        .setLease(write.lease())
                                        .setPrevKv(true)));
        TxnRequest request = transaction.build();
        return translated(calls.once(channel -> keys(channel).txn(request)), EtcdFailures::writing)
                .thenApply(response -> response.getSucceeded() ? done(response) : refused(response));
    }

    private Written done(TxnResponse response) {
        ResponseOp one = response.getResponses(0);
        Value previous = null;
        if (one.hasResponsePut() && one.getResponsePut().hasPrevKv()) {
            previous = names.value(one.getResponsePut().getPrevKv());
        } else if (one.hasResponseDeleteRange() && one.getResponseDeleteRange().getPrevKvsCount() > 0) {
            previous = names.value(one.getResponseDeleteRange().getPrevKvs(0));
        }
        return new Written.Done(response.getHeader().getRevision(), previous);
    }

    private Written refused(TxnResponse response) {
        var actual = new ArrayList<@Nullable Value>();
        for (ResponseOp one : response.getResponsesList()) {
            RangeResponse found = one.getResponseRange();
            actual.add(found.getKvsCount() == 0 ? null : names.value(found.getKvs(0)));
        }
        return new Written.Refused(actual);
    }

    @Override
    public Feed follow(long from, FeedListener listener) {
        return EtcdFeed.begin(new EtcdFeed.Source(members, calls, names, this), from, listener);
    }

    @Override
    public CompletableFuture<@Nullable Void> compact(long revision) {
        CompactionRequest request =
                CompactionRequest.newBuilder().setRevision(revision).build();
        return calls.once(channel -> keys(channel).compact(request))
                .<@Nullable Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> EtcdFailures.compacted(cause(failure))
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(EtcdFailures.writing(cause(failure))));
    }

    @Override
    public CompletableFuture<Long> lease(long seconds) {
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(seconds).build();
        // One that was granted without our knowing ends by itself, and nothing is under it.
        return translated(calls.read(channel -> leases(channel).leaseGrant(request)), EtcdFailures::reading)
                .thenApply(LeaseGrantResponse::getID);
    }

    @Override
    public CompletableFuture<Boolean> prolong(long lease) {
        return EtcdLeases.prolong(members.present(), lease, SECONDS);
    }

    @Override
    public CompletableFuture<@Nullable Void> release(long lease) {
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease).build();
        return translated(calls.once(channel -> leases(channel).leaseRevoke(request)), EtcdFailures::writing)
                .thenApply(done -> null);
    }

    @Override
    public void close() {
        members.close();
    }
}
