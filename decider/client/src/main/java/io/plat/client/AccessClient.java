package io.plat.client;

import io.plat.client.cache.CacheCounts;
import io.plat.client.cache.Revised;
import io.plat.client.cache.RevisedCache;
import io.plat.client.remote.Deciders;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.HostProgram;
import io.plat.client.remote.Reply;
import io.plat.client.remote.RequestType;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Client of one or several deciders with the same policy. Thread-safe; a program has one for its lifetime.
 *
 * <p>A check without a valid answer within the deadline throws {@link UndecidedException}: only an {@link Answer} with {@code allowed} is an allow.
 * Answers are cached while the decider's revision stream is received, and concurrent equal checks are one request. A failed decider is not used until
 * a probe request succeeds; while all have failed, checks fail at once.
 */
public final class AccessClient implements AutoCloseable {
    /** Attributes with more characters are not cached: such requests are rare, or hostile. */
    private static final int HUGE = 10_000;

    /** Fixed size of an entry, in bytes. */
    private static final int ENTRY_BYTES = 512;

    private static final RequestType<Answer> REVIEWS =
            new RequestType<>(url -> url, ReviewFormat.MAX_BYTES, ReviewFormat::decode);

    private final Duration deadline;
    private final Duration allowedFor;
    private final Duration deniedFor;
    private final Duration staleAfter;
    private final long cacheBytes;
    private final Executor executor;
    private final @Nullable CheckListener listener;

    /** Prefix of messages; with several deciders, messages name them. */
    private final String label;

    private final Deciders deciders;
    private final RevisedCache<Access, Outcome> cache;

    /**
     * An answer, or a failure.
     *
     * @param answer null if there is none
     * @param failure one line, or {@code ""}
     */
    private record Outcome(@Nullable Answer answer, String failure) {
        Answer orThrow() {
            if (answer == null) {
                throw new UndecidedException(failure);
            }
            return answer;
        }

        CheckListener.Result result() {
            return answer == null
                    ? CheckListener.Result.UNDECIDED
                    : answer.allowed() ? CheckListener.Result.ALLOWED : CheckListener.Result.DENIED;
        }
    }

    private final class Rules implements RevisedCache.Rules<Access, Outcome> {
        @Override
        public Duration lifetime(Outcome outcome) {
            Answer answer = outcome.answer;
            return answer == null ? Duration.ZERO : answer.allowed() ? allowedFor : deniedFor;
        }

        @Override
        public int bytes(Access request, Revised<Outcome> outcome) {
            Answer answer = outcome.answer().answer;
            int characters =
                    request.characters() + (answer == null ? 0 : answer.reason().length());
            return characters > HUGE ? Integer.MAX_VALUE : ENTRY_BYTES + 2 * characters;
        }

        @Override
        public String owner(Access request) {
            return request.user().name();
        }

        @Override
        public long maxBytes() {
            return Math.min(cacheBytes, Integer.MAX_VALUE - 1);
        }

        @Override
        public boolean shares() {
            return !allowedFor.isZero() && !deniedFor.isZero();
        }

        @Override
        public boolean isStale(Outcome outcome, Duration since) {
            Answer answer = outcome.answer;
            return answer != null && answer.allowed() && since.compareTo(staleAfter) > 0;
        }
    }

    private AccessClient(Builder settings, Supplier<SSLContext> tls) {
        this.deadline = settings.deadline;
        this.allowedFor = settings.allowedFor;
        this.deniedFor = settings.deniedFor;
        this.staleAfter = settings.staleAfter;
        this.cacheBytes = settings.cacheBytes;
        this.listener = settings.listener;
        this.label = settings.urls.size() == 1 ? settings.urls.get(0) + ": " : "";
        this.executor = settings.executor == null ? HostProgram.DEFAULT.executor() : settings.executor;
        List<Endpoint> endpoints =
                settings.urls.stream().map(url -> new Endpoint(url, tls, null)).toList();
        this.deciders =
                new Deciders(endpoints, deadline, Deciders.Resolver.SYSTEM, Deciders.Timing.REAL, HostProgram.DEFAULT);
        this.deciders.breakCircuit();
        this.cache = new RevisedCache<>(this::fetch, new Rules(), System::nanoTime);
        this.deciders.follow(cache);
    }

    /** Returns a builder of a client, which needs at least a decider and certificates. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Checks whether an access is allowed. Blocks for the deadline at most, and not at all if the answer is cached. If it waited for an equal check
     * that was interrupted, the deadline starts again.
     *
     * @throws UndecidedException if no decider answered in time
     */
    public Answer check(Access access) {
        long begin = System.nanoTime();
        @Nullable Outcome known = cache.getIfPresent(access);
        return completed(known != null ? known : cache.get(access), known != null, begin);
    }

    /**
     * Checks whether an access is allowed, without blocking. If the answer is not cached, a thread of the executor waits for it, even if an equal
     * check is in progress.
     *
     * @return completes exceptionally with {@link UndecidedException} if no decider answered in time, or the executor is full
     */
    public CompletionStage<Answer> checkAsync(Access access) {
        long begin = System.nanoTime();
        @Nullable Outcome known = cache.getIfPresent(access);
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        try {
            if (known == null) {
                executor.execute(() -> complete(outcome, access));
            } else {
                outcome.complete(known);
            }
        } catch (RejectedExecutionException e) {
            outcome.complete(new Outcome(null, "too many checks are waiting"));
        }
        return outcome.completeOnTimeout(
                        new Outcome(null, "no answer in time"), deadline.toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(it -> completed(it, known != null, begin));
    }

    /** Completes a check, unless it timed out. */
    private void complete(CompletableFuture<Outcome> outcome, Access access) {
        if (outcome.isDone()) {
            return;
        }
        try {
            outcome.complete(cache.get(access));
        } catch (RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }

    private Answer completed(Outcome outcome, boolean cached, long begin) {
        if (listener != null) {
            listener.checked(outcome.result(), cached, System.nanoTime() - begin);
        }
        return outcome.orThrow();
    }

    private Revised<Outcome> fetch(Access access) {
        Reply<Answer> reply;
        try {
            reply = deciders.send(REVIEWS, ReviewFormat.encode(access), deadline, (result, nanos) -> {
                if (listener != null) {
                    listener.requested(result, nanos);
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Thrown, so that waiting equal checks send their own request.
            throw new UndecidedException("interrupted");
        }
        if (reply instanceof Reply.Answered<Answer> answered) {
            Answer answer = answered.answer();
            return new Revised<>(
                    new Outcome(new Answer(answer.allowed(), answer.reason(), answered.revision()), ""),
                    answered.revision());
        }
        String reason = reply instanceof Reply.Failure<Answer> failure ? failure.reason() : "no answer";
        return Revised.of(new Outcome(null, label + reason));
    }

    /** Returns whether the revision stream of a decider is connected; if not, allows are cached for {@link Builder#staleAfter} at most. */
    public boolean isFollowing() {
        return deciders.isConnected();
    }

    /** Returns the numbers of events of the cache. */
    public CacheCounts cacheCounts() {
        return cache.counts();
    }

    /** Closes all connections; checks in progress fail. */
    @Override
    public void close() {
        deciders.close();
    }

    /** Settings of a client. Not thread-safe. */
    public static final class Builder {
        private final List<URI> urls = new ArrayList<>();
        private @Nullable Supplier<SSLContext> tls;
        private Path @Nullable [] files;
        private Duration deadline = Duration.ofSeconds(3);
        private Duration allowedFor = Duration.ofMinutes(5);
        private Duration deniedFor = Duration.ofSeconds(30);
        private Duration staleAfter = Duration.ofSeconds(1);
        private long cacheBytes = 16 << 20;
        private @Nullable Executor executor;
        private @Nullable CheckListener listener;

        private Builder() {}

        /**
         * Adds a decider. Several are used according to their load, with failover; the name of one may have several addresses.
         *
         * @param url an https URL; without a path it is {@code /authorize}
         */
        public Builder decider(URI url) {
            boolean bare = url.getRawPath() == null || url.getRawPath().isEmpty();
            urls.add(bare ? url.resolve("/authorize") : url);
            return this;
        }

        /** Sets the files with the CA of the deciders, and the client's certificate and its key, all in PEM. They are reloaded when they change. */
        public Builder certificates(Path authorities, Path certificate, Path key) {
            files = new Path[] {authorities, certificate, key};
            return this;
        }

        /**
         * Sets the TLS context, in place of files. When another one is supplied, new connections use it, and idle connections of the previous one are
         * closed.
         */
        public Builder tls(Supplier<SSLContext> contexts) {
            tls = contexts;
            return this;
        }

        /** Sets the time limit of a check, including all attempts (3 s). */
        public Builder deadline(Duration limit) {
            deadline = positive(limit);
            return this;
        }

        /** Sets how long answers are cached: allows (5 min) and others (30 s). Zero for both turns the cache off. */
        public Builder cacheFor(Duration allowed, Duration denied) {
            allowedFor = allowed;
            deniedFor = denied;
            return this;
        }

        /** Sets how long an allow remains cached without a revision stream: since the disconnection, or since a later allow (1 s). */
        public Builder staleAfter(Duration limit) {
            staleAfter = limit;
            return this;
        }

        /** Sets the approximate maximum memory of the cache, in bytes (16 MiB). */
        public Builder cacheBytes(long bytes) {
            cacheBytes = bytes;
            return this;
        }

        /** Sets the executor of {@link AccessClient#checkAsync}, whose tasks wait for deciders (daemon threads, 64 at most). */
        public Builder executor(Executor threads) {
            executor = threads;
            return this;
        }

        /** Sets the listener for checks, such as those in {@code io.plat.client.metrics}. */
        public Builder listener(CheckListener newListener) {
            listener = newListener;
            return this;
        }

        private static Duration positive(Duration limit) {
            if (limit.isZero() || limit.isNegative()) {
                throw new IllegalArgumentException("not a time limit: " + limit);
            }
            return limit;
        }

        /**
         * Returns a client, which follows the deciders' revisions from now on.
         *
         * @throws IOException if the certificates cannot be read
         * @throws IllegalArgumentException if there is no decider, or no certificate
         */
        public AccessClient build() throws IOException {
            if (urls.isEmpty() || (tls == null) == (files == null)) {
                throw new IllegalArgumentException("expected a decider, and either certificates or a TLS context");
            }
            Supplier<SSLContext> contexts = files == null ? tls : new CertificateFiles(files[0], files[1], files[2]);
            return new AccessClient(this, Objects.requireNonNull(contexts));
        }
    }
}
