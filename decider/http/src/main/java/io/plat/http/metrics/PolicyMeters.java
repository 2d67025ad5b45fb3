package io.plat.http.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Metrics of the policy in effect: revision, load time and size. */
public final class PolicyMeters {
    private PolicyMeters() {}

    /**
     * The policy in effect.
     *
     * @param revision its name
     * @param loadedAt when it was loaded
     * @param lines lines of the policy file
     * @param roles roles and cluster roles
     * @param bindings bindings of either
     * @param broken whether the current files are invalid
     */
    public record InEffect(String revision, Instant loadedAt, int lines, int roles, int bindings, boolean broken) {}

    /**
     * Registers the metrics.
     *
     * @param now supplies the policy in effect, from memory
     */
    public static void show(ServerMetrics metrics, Supplier<InEffect> now) {
        MeterRegistry registry = metrics.registry();
        MultiGauge info = MultiGauge.builder("policy.info")
                .description("The revision of the policy in force; always 1.")
                .register(registry);
        metrics.beforeReading(() -> info.register(
                List.of(MultiGauge.Row.of(Tags.of("revision", now.get().revision()), 1)), true));
        value(
                        now,
                        "policy.loaded.timestamp.seconds",
                        policy -> policy.loadedAt().getEpochSecond())
                .description("When the policy in force was loaded, in seconds since 1970.")
                .register(registry);
        value(now, "policy.age.seconds", policy -> seconds(Duration.between(policy.loadedAt(), Instant.now())))
                .description("For how long the policy in force has decided.")
                .register(registry);
        value(now, "policy.last.reload.successful", policy -> policy.broken() ? 0 : 1)
                .description("1 where the policy files can be used as they are, 0 where an earlier policy decides.")
                .register(registry);
        size(registry, now, "abac_line", InEffect::lines);
        size(registry, now, "role", InEffect::roles);
        size(registry, now, "binding", InEffect::bindings);
    }

    private static double seconds(Duration age) {
        return age.toMillis() / 1e3;
    }

    private static void size(
            MeterRegistry registry, Supplier<InEffect> now, String kind, ToDoubleFunction<InEffect> count) {
        value(now, "policy.objects", count)
                .description("How much policy is in force.")
                .tag("kind", kind)
                .register(registry);
    }

    private static Gauge.Builder<Supplier<InEffect>> value(
            Supplier<InEffect> now, String name, ToDoubleFunction<InEffect> value) {
        return Gauge.builder(name, now, policy -> value.applyAsDouble(policy.get()))
                .strongReference(true);
    }
}
