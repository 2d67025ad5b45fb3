package io.plat.apiserver.etcd;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.plat.apiserver.storage.etcd.FeedListener;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Watch of a whole prefix at one member. The member ends the watch when it has no leader.
 *
 * <p>Members report progress on request. Versions before 3.4.31 and 3.5.13 may report progress ahead of changes. For those, a key is
 * written instead: its own change follows all earlier ones.
 */
final class EtcdFeed implements RemoteKeys.Feed, ClientResponseObserver<WatchRequest, WatchResponse> {
    /** Key that is written to observe its change. */
    static final String MARK = "~/mark";

    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\.([0-9]{1,4}).*");
    private static final int STATUS_SECONDS = 4;

    /**
     * Parts of a feed.
     *
     * @param names watched key names
     * @param keys keys for writing a mark
     */
    record Source(EtcdCalls calls, EtcdNames names, RemoteKeys keys) {
        EtcdMembers members() {
            return calls.members();
        }
    }

    private final Source source;
    private final ManagedChannel member;
    private final FeedListener listener;
    private final AtomicBoolean marking = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean progressInOrder;
    private @Nullable ClientCallStreamObserver<WatchRequest> requests;

    private EtcdFeed(Source source, FeedListener listener) {
        this.source = source;
        this.member = source.members().current();
        this.listener = listener;
    }

    static EtcdFeed start(Source source, long from, FeedListener listener) {
        var feed = new EtcdFeed(source, listener);
        var metadata = new Metadata();
        metadata.put(HAS_LEADER, "true");
        WatchGrpc.newStub(feed.member)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                .watch(feed);
        feed.send(WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(source.names().startAfter(""))
                        .setRangeEnd(source.names().end())
                        .setStartRevision(from)
                        .setProgressNotify(true))
                .build());
        feed.learnVersion();
        return feed;
    }

    private void learnVersion() {
        var _ = source.calls()
                .once(
                        "status",
                        "",
                        ignored -> MaintenanceGrpc.newFutureStub(member)
                                .withDeadlineAfter(STATUS_SECONDS, TimeUnit.SECONDS)
                                .status(StatusRequest.getDefaultInstance()))
                .thenAccept(status -> progressInOrder = reportsProgressInOrder(status.getVersion()));
    }

    /** Returns whether a member reports progress only after all changes, even if others share the etcd: since 3.4.31 and 3.5.13. */
    static boolean reportsProgressInOrder(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        int patch = Integer.parseInt(parts.group(3));
        return major > 3 || (major == 3 && (minor > 5 || (minor == 5 && patch >= 13) || (minor == 4 && patch >= 31)));
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
        synchronized (this) {
            requests = stream;
        }
    }

    private synchronized void send(WatchRequest request) {
        if (requests != null && !ended.get()) {
            requests.onNext(request);
        }
    }

    @Override
    public void requestProgress() {
        if (source.members().current() != member) {
            // Calls to that member failed: it may hang, or be partitioned, without ending the watch.
            end(new FeedListener.Ended.Broken("etcd: the member of the watch does not respond"));
            cancel();
        } else if (progressInOrder) {
            send(WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
        } else if (marking.compareAndSet(false, true)) {
            var _ = source.keys()
                    .write(new RemoteWrite(MARK, new byte[] {'.'}, List.of(), 0))
                    .whenComplete((written, failure) -> marking.set(false));
        }
    }

    @Override
    public void onNext(WatchResponse response) {
        if (response.getCanceled()) {
            end(
                    response.getCompactRevision() > 0
                            ? new FeedListener.Ended.Compacted()
                            : new FeedListener.Ended.Broken(
                                    "etcd: the watch was canceled: " + response.getCancelReason()));
            cancel();
        } else if (response.getEventsCount() > 0) {
            var changes = new ArrayList<FeedListener.Changed>(response.getEventsCount());
            for (Event event : response.getEventsList()) {
                changes.add(new FeedListener.Changed(
                        source.names().key(event.getKv().getKey()),
                        event.getType() == Event.EventType.DELETE
                                ? null
                                : event.getKv().getValue().toByteArray(),
                        event.getKv().getModRevision()));
            }
            listener.changed(changes);
        } else if (!response.getCreated()) {
            listener.progressed(response.getHeader().getRevision());
        }
    }

    @Override
    public void onError(Throwable failure) {
        source.members().failed(member);
        end(new FeedListener.Ended.Broken(
                String.valueOf(EtcdFailures.reading(failure).getMessage())));
    }

    @Override
    public void onCompleted() {
        end(new FeedListener.Ended.Broken("etcd: the watch has ended"));
    }

    private void end(FeedListener.Ended reason) {
        if (ended.compareAndSet(false, true)) {
            listener.ended(reason);
        }
    }

    private synchronized void cancel() {
        if (requests != null) {
            requests.cancel("the watch has ended", Status.CANCELLED.asException());
        }
    }

    @Override
    public void close() {
        ended.set(true);
        cancel();
    }
}
