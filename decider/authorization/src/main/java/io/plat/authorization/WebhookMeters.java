package io.plat.authorization;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.plat.client.cache.CacheCounts.Event;
import io.plat.client.remote.RoundTrips;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.metrics.ServerMetrics;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Metrics of a server's remote decider. */
public final class WebhookMeters {
    /** Maximum number of addresses, as a name may have ever new ones, and each is a permanent series. */
    private static final int MAX_ADDRESSES = 64;

    private static final String PREFIX = "authorization.webhook.";

    private WebhookMeters() {}

    /** Registers all metrics of the webhook that is selected by flags; addresses beyond the first few are not shown. */
    public static void show(ServerMetrics metrics, WebhookMode webhook) {
        MeterRegistry registry = metrics.registry();
        for (Event event : Event.values()) {
            boolean lookup = event == Event.HIT || event == Event.MISS;
            FunctionCounter.builder(
                            PREFIX + (lookup ? "cache.requests" : "cache.dropped"),
                            webhook,
                            mode -> mode.counts().of(event))
                    .description(
                            lookup
                                    ? "Lookups in the cache of webhook responses, by result."
                                    : "Responses of the webhook evicted from the cache, or (outdated) not cached.")
                    .tag(lookup ? "status" : "cause", word(event))
                    .register(registry);
        }
        gauge(registry, webhook, "cache.entries", WebhookMode::cachedEntries, "Cached responses of the webhook.");
        gauge(
                registry,
                webhook,
                "cache.size.bytes",
                WebhookMode::cachedBytes,
                "Estimated size of the cache of webhook responses, in bytes.");
        gauge(
                registry,
                webhook,
                "revision.stream.connected",
                mode -> mode.isFollowing() ? 1 : 0,
                "Whether the webhook's revision stream is connected: 1, or 0 if responses are cached until they expire.");
        webhook.onRoundTrip(roundTrips(registry, DecisionCounters.FLAG_WEBHOOK, false));
        Set<String> addresses = new HashSet<>();
        webhook.onAddress(address -> {
            synchronized (addresses) {
                if (addresses.size() == MAX_ADDRESSES || !addresses.add(address)) {
                    return;
                }
            }
            gauge(
                    registry,
                    webhook,
                    "address.in.use",
                    mode -> mode.isInUse(address) ? 1 : 0,
                    "Whether an address of the webhook is in use: 1, or 0 while it fails or after it was removed.",
                    "address",
                    address);
        });
        metrics.certificates("client-certificate", webhook::certificates);
        metrics.certificates("server-ca", webhook::certificates);
    }

    private static void gauge(
            MeterRegistry registry,
            WebhookMode webhook,
            String what,
            ToDoubleFunction<WebhookMode> number,
            String description,
            String... tags) {
        Gauge.builder(PREFIX + what, webhook, number)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /**
     * Registers counters and timers of round trips to a webhook, by result.
     *
     * @param name its name in the configuration
     * @param passesOn whether failures that are passed on to the next authorizer are counted
     */
    static RoundTrips roundTrips(MeterRegistry registry, String name, boolean passesOn) {
        Map<RoundTrips.Result, LongConsumer> meters = new EnumMap<>(RoundTrips.Result.class);
        for (RoundTrips.Result result : RoundTrips.Result.values()) {
            Tags tags = Tags.of("name", name, "result", word(result));
            Counter count = Counter.builder("apiserver.authorization.webhook.evaluations")
                    .description("Requests to the authorization webhook, by result.")
                    .tags(tags)
                    .register(registry);
            Timer times = Timer.builder("apiserver.authorization.webhook.duration")
                    .description("Duration of a request to the authorization webhook.")
                    .tags(tags)
                    .serviceLevelObjectives(ServerMetrics.buckets())
                    .register(registry);
            @Nullable
            Counter passedOn = !passesOn || result == RoundTrips.Result.SUCCESS
                    ? null
                    : Counter.builder("apiserver.authorization.webhook.evaluations.fail.open")
                            .description("Failed webhook requests after which the next authorizer was consulted.")
                            .tags(tags)
                            .register(registry);
            meters.put(result, nanos -> {
                count.increment();
                times.record(nanos, TimeUnit.NANOSECONDS);
                if (passedOn != null) {
                    passedOn.increment();
                }
            });
        }
        return (result, nanos) -> Objects.requireNonNull(meters.get(result)).accept(nanos);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
