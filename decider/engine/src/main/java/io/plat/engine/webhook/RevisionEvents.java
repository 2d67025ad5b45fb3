package io.plat.engine.webhook;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The body of one stream of revisions, told as it comes. Nothing is told once it was ended. */
final class RevisionEvents implements BodySubscriber<Void> {
    /** The media type of such a body. */
    static final String TYPE = "text/event-stream";

    private final EventStream stream = new EventStream(this::event);
    private final Consumer<String> revisions;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private boolean over;
    private volatile long heard = System.nanoTime();

    /** Events that go to a consumer, which must return at once. */
    RevisionEvents(Consumer<String> revisions) {
        this.revisions = revisions;
    }

    /** Known at once, so that a response is there when its headers are. */
    @Override
    public CompletionStage<Void> getBody() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        heard = System.nanoTime();
        boolean late;
        synchronized (this) {
            subscription = begun;
            late = over;
        }
        if (late) {
            begun.cancel();
        } else {
            begun.request(1);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> parts) {
        if (over) {
            return;
        }
        heard = System.nanoTime();
        try {
            for (ByteBuffer part : parts) {
                stream.read(part);
            }
            Objects.requireNonNull(subscription).request(1);
        } catch (EventStream.MalformedException e) {
            over = true;
            ended.complete("what it sends is no stream of revisions: " + e.getMessage());
        }
    }

    private void event(String data) {
        if (RevisionName.isName(data)) {
            revisions.accept(data);
        } else {
            ended.complete("what it sends is no name of a revision");
        }
    }

    @Override
    public void onError(Throwable failure) {
        ended.complete("the connection failed");
    }

    @Override
    public void onComplete() {
        ended.complete("the decider ended it");
    }

    /**
     * Waits for the end of the stream and says why it ended.
     *
     * @param silence how long it may say nothing
     */
    String awaitEnd(Duration silence) throws InterruptedException {
        long left = silence.toNanos();
        while (left > 0) {
            try {
                return ended.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException meanwhile) {
                // Something may have been heard since.
                left = silence.toNanos() - (System.nanoTime() - heard);
            } catch (ExecutionException impossible) {
                throw new IllegalStateException("nothing completes it so", impossible);
            }
        }
        return "silent for " + silence.toSeconds() + " s";
    }

    /** Tells nothing more, and gives the connection up. */
    void end() {
        Flow.@Nullable Subscription begun;
        synchronized (this) {
            over = true;
            begun = subscription;
        }
        if (begun != null) {
            begun.cancel();
        }
    }
}
