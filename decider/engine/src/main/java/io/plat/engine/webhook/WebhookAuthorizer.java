package io.plat.engine.webhook;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Asks a remote decider. The calling thread waits, for no longer than the deadline; every failure is {@link Undecided}.
 *
 * <p>Attributes are sent as they are given: a group under the name that the request used (contract, "Two vocabularies").
 */
public final class WebhookAuthorizer implements Authorizer, AnswerSource, AutoCloseable {
    private final Endpoint endpoint;
    private final Settings settings;
    private final Timing timing;
    private final RemoteDecider remote;
    private final ReviewCodec codec = new ReviewCodec();

    /**
     * How to ask.
     *
     * @param version the version of the questions
     * @param deadline how long one decision may take, all attempts and the waits between them included
     */
    public record Settings(ReviewVersion version, Duration deadline) {
        public Settings {
            Objects.requireNonNull(version);
            if (!deadline.isPositive()) {
                throw new IllegalArgumentException("no time to ask: " + deadline);
            }
        }
    }

    /**
     * What passes and what is waited for.
     *
     * @param nanos a clock that never goes back
     * @param random numbers from 0 to 1
     * @param pause waits
     */
    record Timing(Backoff backoff, LongSupplier nanos, DoubleSupplier random, Pause pause) {
        static final Timing REAL = new Timing(
                Backoff.DEFAULT,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble(),
                Thread::sleep);
    }

    /** Waits on the calling thread. */
    @FunctionalInterface
    interface Pause {
        void during(Duration time) throws InterruptedException;
    }

    /** An authorizer that asks the decider at an endpoint. Nothing is connected to before the first question. */
    public WebhookAuthorizer(Endpoint endpoint, Settings settings) {
        this(endpoint, settings, Timing.REAL);
    }

    WebhookAuthorizer(Endpoint endpoint, Settings settings, Timing timing) {
        this.endpoint = endpoint;
        this.settings = settings;
        this.timing = timing;
        this.remote = new RemoteDecider(endpoint, settings.version(), settings.deadline());
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return ask(attributes).decision();
    }

    @Override
    public Answer ask(Attributes attributes) {
        long begin = timing.nanos().getAsLong();
        byte[] question = codec.encodeQuestion(settings.version(), attributes);
        try {
            return ask(question, begin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return undecided("interrupted");
        }
    }

    private Answer ask(byte[] question, long begin) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Duration left = left(begin);
            if (!left.isPositive()) {
                return undecided("no answer in time");
            }
            switch (remote.ask(question, left)) {
                case Reply.Answered(ReviewStatus status, String revision) -> {
                    return new Answer(decision(status), revision);
                }
                case Reply.Failed(String reason) -> {
                    return undecided(reason);
                }
                case Reply.Unavailable(String reason, Duration notBefore) -> {
                    Duration wait = timing.backoff().after(attempt, timing.random());
                    wait = wait.compareTo(notBefore) < 0 ? notBefore : wait;
                    if (attempt == timing.backoff().attempts() || wait.compareTo(left(begin)) >= 0) {
                        return undecided(reason);
                    }
                    timing.pause().during(wait);
                }
            }
        }
    }

    private Duration left(long begin) {
        return settings.deadline().minusNanos(timing.nanos().getAsLong() - begin);
    }

    private Decision decision(ReviewStatus status) {
        String reason = OneLine.of(status.reason());
        if (status.allowed()) {
            return new Allow(new WebhookGrant(endpoint.url().toString(), reason));
        }
        return status.denied() ? new Deny(reason) : new NoOpinion(reason);
    }

    private Answer undecided(String reason) {
        return Answer.of(new Undecided(Cause.FAILED, "webhook " + endpoint.url() + ": " + reason));
    }

    /** The decider's revisions, over the same connections; nothing is asked before {@link RevisionStream#start}. */
    RevisionStream revisions(RevisionNews listener) {
        return new RevisionStream(endpoint, remote.client(), listener, RevisionStream.Timing.REAL);
    }

    /** Closes every connection; what is being asked fails. */
    @Override
    public void close() {
        remote.close();
    }
}
