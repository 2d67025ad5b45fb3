package io.plat.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of a server's remote decider: its cache of responses, and whether its revision stream is connected.
 *
 * @param <T> the source of the values
 */
public final class WebhookMeters<T> {
    /** kube-apiserver's name of a webhook that is selected by a flag. */
    static final String NAME = "default";

    /** Maximum number of addresses, as a name may keep changing them, and each is a permanent series. */
    static final int MAX_ADDRESSES = 64;

    private final MeterRegistry registry;
    private final T webhook;
    private final String name;
    private final Set<String> addresses = new HashSet<>();

    /**
     * Creates the metrics of a server's webhook.
     *
     * @param webhook read whenever the metrics are read; only weakly referenced here
     */
    public WebhookMeters(MeterRegistry registry, T webhook) {
        this(registry, webhook, NAME);
    }

    /**
     * Creates the metrics of one of several webhooks.
     *
     * @param name its name in the server's configuration
     */
    public WebhookMeters(MeterRegistry registry, T webhook, String name) {
        this.registry = registry;
        this.webhook = webhook;
        this.name = name;
    }

    /**
     * Registers the cache of responses, and whether the decider's revision stream is connected.
     *
     * @param numbers functions by label: {@code hit} and {@code miss} of the cache; the reasons of evictions ({@code size}, {@code expired},
     *     {@code revision}; {@code outdated} for discarded responses); {@code entries} and {@code bytes} in it; {@code connected}, 1 or 0
     */
    public void show(Map<String, ToDoubleFunction<T>> numbers) {
        numbers.forEach((word, number) -> {
            switch (word) {
                case "hit", "miss" ->
                    FunctionCounter.builder("authorization.webhook.cache.requests", webhook, number)
                            .description("Lookups in the cache of webhook responses, by result.")
                            .tag("status", word)
                            .register(registry);
                case "entries" -> gauge("cache.entries", number, "Cached responses of the webhook.");
                case "bytes" ->
                    gauge("cache.size.bytes", number, "Estimated size of the cache of webhook responses, in bytes.");
                case "connected" ->
                    gauge(
                            "revision.stream.connected",
                            number,
                            "Whether the webhook's revision stream is connected: 1, or 0 if responses are cached until they expire.");
                default ->
                    FunctionCounter.builder("authorization.webhook.cache.dropped", webhook, number)
                            .description("Responses of the webhook evicted from the cache, or (outdated) not cached.")
                            .tag("cause", word)
                            .register(registry);
            }
        });
    }

    private void gauge(String what, ToDoubleFunction<T> number, String description, String... tags) {
        Gauge.builder("authorization.webhook." + what, webhook, number)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /**
     * Registers whether an address of the decider is in use: 1, or 0 while it fails and after it was removed from the name. Addresses beyond the
     * first few are not shown.
     *
     * @param isInUse whether it is in use
     */
    public void address(String address, Predicate<T> isInUse) {
        synchronized (addresses) {
            if (addresses.size() == MAX_ADDRESSES || !addresses.add(address)) {
                return;
            }
        }
        gauge(
                "address.in.use",
                now -> isInUse.test(now) ? 1 : 0,
                "Whether an address of the webhook is in use: 1, or 0 while it fails or after it was removed.",
                "address",
                address);
    }

    /** Registers counters and timers of round trips to the decider, by result; returns the receiver of the nanoseconds of each. */
    public <E extends Enum<E>> ObjLongConsumer<E> roundTrips(Class<E> results) {
        Map<E, LongConsumer> meters = new EnumMap<>(results);
        for (E result : EnumSet.allOf(results)) {
            meters.put(result, roundTrips(result.name().toLowerCase(Locale.ROOT)));
        }
        return (result, nanos) -> Objects.requireNonNull(meters.get(result)).accept(nanos);
    }

    /**
     * Counts and times round trips to the decider.
     *
     * @param result their result: {@code success}, {@code error}, {@code timeout} or {@code canceled}
     * @return receiver of the nanoseconds of each
     */
    public LongConsumer roundTrips(String result) {
        Counter count = Counter.builder("apiserver.authorization.webhook.evaluations")
                .description("Requests to the authorization webhook, by result.")
                .tag("name", name)
                .tag("result", result)
                .register(registry);
        Timer times = Timer.builder("apiserver.authorization.webhook.duration")
                .description("Duration of a request to the authorization webhook.")
                .tag("name", name)
                .tag("result", result)
                .serviceLevelObjectives(Buckets.all())
                .register(registry);
        return nanos -> {
            count.increment();
            times.record(nanos, TimeUnit.NANOSECONDS);
        };
    }

    /** Buckets in seconds: decisions from memory are within the first, the last ones are for blocking ones. */
    static final class Buckets {
        private static final long[] MICROS = {
            50,
            100,
            250,
            500,
            1_000,
            2_500,
            5_000,
            10_000,
            25_000,
            50_000,
            100_000,
            250_000,
            500_000,
            1_000_000,
            2_500_000,
            5_000_000,
            10_000_000,
            30_000_000,
            60_000_000
        };

        private Buckets() {}

        static Duration[] all() {
            Duration[] bounds = new Duration[MICROS.length];
            for (int i = 0; i < MICROS.length; i++) {
                bounds[i] = Duration.ofNanos(1_000 * MICROS[i]);
            }
            return bounds;
        }
    }
}
