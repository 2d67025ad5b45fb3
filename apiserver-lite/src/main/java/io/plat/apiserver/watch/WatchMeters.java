package io.plat.apiserver.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code apiserver_longrunning_requests} and {@code apiserver_watch_events_total}, with kube-apiserver's labels. Thread-safe. */
final class WatchMeters {
    private final MeterRegistry registry;
    private final ConcurrentMap<Place, Meters> byPlace = new ConcurrentHashMap<>();

    private record Place(ResourceType.Id type, String scope) {}

    /** Meters of watches of one type and scope. */
    record Meters(AtomicInteger running, Counter events) {}

    WatchMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    Meters of(Target target) {
        return byPlace.computeIfAbsent(
                new Place(target.type().id(), scope(target)), place -> register(target.type(), place));
    }

    private static String scope(Target target) {
        return !target.name().isEmpty() ? "resource" : target.namespace().isEmpty() ? "cluster" : "namespace";
    }

    private Meters register(ResourceType type, Place place) {
        var running = new AtomicInteger();
        Gauge.builder("apiserver.longrunning.requests", running, AtomicInteger::get)
                .description("Running watches.")
                .tag("verb", "WATCH")
                .tag("group", type.group())
                .tag("version", type.version())
                .tag("resource", type.resource())
                .tag("subresource", "")
                .tag("scope", place.scope())
                .tag("component", "apiserver")
                .register(registry);
        Counter events = Counter.builder("apiserver.watch.events")
                .description("Events sent to watches.")
                .tag("group", type.group())
                .tag("version", type.version())
                .tag("kind", type.kind())
                .register(registry);
        return new Meters(running, events);
    }
}
