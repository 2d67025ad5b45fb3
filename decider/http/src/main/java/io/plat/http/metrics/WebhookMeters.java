package io.plat.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What a server shows of the further decider that it asks: its cache of answers, and whether it hears of changed policies.
 *
 * @param <T> what knows about it
 */
public final class WebhookMeters<T> {
    /** What existing servers call a webhook that is chosen by a flag. */
    static final String NAME = "default";

    /** Names may have other addresses every day; each is a series for good. */
    static final int MOST_ADDRESSES = 64;

    private final MeterRegistry registry;
    private final T webhook;
    private final String name;
    private final Set<String> addresses = new HashSet<>();

    /**
     * Meters of a server's webhook.
     *
     * @param webhook asked whenever the metrics are read; has to be kept by the server
     */
    public WebhookMeters(MeterRegistry registry, T webhook) {
        this(registry, webhook, NAME);
    }

    /**
     * Meters of one of a server's webhooks.
     *
     * @param name what the server's configuration calls it
     */
    public WebhookMeters(MeterRegistry registry, T webhook, String name) {
        this.registry = registry;
        this.webhook = webhook;
        this.name = name;
    }

    /** Shows whether the decider tells its revisions; where not, what it answers is kept for its time. */
    public void following(Predicate<T> isFollowing) {
        Gauge.builder("authorization.webhook.revision.stream.connected", webhook, now -> isFollowing.test(now) ? 1 : 0)
                .description(
                        "Whether the webhook tells when its policy changes: 1, or 0 where answers are kept for their time.")
                .register(registry);
    }

    /**
     * Shows whether an address of the decider is asked: 1, or 0 while it fails and when it belongs to the name no more. Addresses beyond the first
     * few are not shown.
     *
     * @param isAsked whether it is
     */
    public void address(String address, Predicate<T> isAsked) {
        synchronized (addresses) {
            if (addresses.size() == MOST_ADDRESSES || !addresses.add(address)) {
                return;
            }
        }
        Gauge.builder("authorization.webhook.address.asked", webhook, now -> isAsked.test(now) ? 1 : 0)
                .description("Whether an address of the webhook is asked: 1, or 0 while it fails or is gone.")
                .tag("address", address)
                .register(registry);
    }

    /**
     * Counts questions to the cache.
     *
     * @param hits those whose answer was there
     * @param misses those whose answer was not
     */
    public void requests(ToDoubleFunction<T> hits, ToDoubleFunction<T> misses) {
        request("hit", hits);
        request("miss", misses);
    }

    private void request(String status, ToDoubleFunction<T> count) {
        FunctionCounter.builder("authorization.webhook.cache.requests", webhook, count)
                .description("Questions that were looked up among the webhook's answers.")
                .tag("status", status)
                .register(registry);
    }

    /**
     * Counts answers that went.
     *
     * @param cause why: {@code size}, {@code expired}, {@code revision}; {@code outdated} are those that never came
     */
    public void dropped(String cause, ToDoubleFunction<T> count) {
        FunctionCounter.builder("authorization.webhook.cache.dropped", webhook, count)
                .description("Answers of the webhook that are kept no longer, or (outdated) were not kept at all.")
                .tag("cause", cause)
                .register(registry);
    }

    /**
     * Shows what is kept.
     *
     * @param entries how many answers
     * @param bytes roughly how much memory they take
     */
    public void kept(ToDoubleFunction<T> entries, ToDoubleFunction<T> bytes) {
        Gauge.builder("authorization.webhook.cache.entries", webhook, entries)
                .description("Answers of the webhook that are kept.")
                .register(registry);
        Gauge.builder("authorization.webhook.cache.size.bytes", webhook, bytes)
                .description("Roughly how much memory the answers of the webhook take.")
                .register(registry);
    }

    /**
     * Counts and times round trips to the decider.
     *
     * @param result how they end: {@code success}, {@code error}, {@code timeout} or {@code canceled}
     * @return takes the nanoseconds of each
     */
    public LongConsumer roundTrips(String result) {
        Counter count = Counter.builder("apiserver.authorization.webhook.evaluations")
                .description("Round trips to the webhook.")
                .tag("name", name)
                .tag("result", result)
                .register(registry);
        Timer times = Timer.builder("apiserver.authorization.webhook.duration")
                .description("Time of a round trip to the webhook.")
                .tag("name", name)
                .tag("result", result)
                .serviceLevelObjectives(Buckets.all())
                .register(registry);
        return nanos -> {
            count.increment();
            times.record(nanos, TimeUnit.NANOSECONDS);
        };
    }
}
