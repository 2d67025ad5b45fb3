package io.plat.engine.webhook;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes a body that nobody wants to read, however long it is: the connection is given up for it. */
final class Unread implements BodySubscriber<Void> {
    @Override
    public CompletionStage<Void> getBody() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.cancel();
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        // Nothing was asked for.
    }

    @Override
    public void onError(Throwable failure) {
        // Its end is of no interest either.
    }

    @Override
    public void onComplete() {
        // As above.
    }
}
