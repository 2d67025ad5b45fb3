package io.plat.http.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics of the policy in effect: revision, load time and size. */
public final class PolicyMeters {
    private static final Logger LOG = LoggerFactory.getLogger("io.plat.Authorization");

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
    public record InEffect(String revision, Instant loadedAt, int lines, int roles, int bindings, boolean broken) {
        /**
         * Logs the policy in effect.
         *
         * @param files files and directories of the policy
         * @param callers the names of allowed clients, or the accepted kinds of credentials; {@code *} for every client
         */
        public void log(List<String> modes, List<Path> files, Collection<String> callers) {
            LOG.info(
                    "authorization policy in effect: mode={} files={} abac_lines={} roles={} bindings={} revision={} callers={}",
                    String.join(",", modes),
                    files.isEmpty()
                            ? "none"
                            : files.stream().map(Path::toString).collect(Collectors.joining(",")),
                    lines,
                    roles,
                    bindings,
                    revision.isEmpty() ? "none" : revision,
                    String.join(",", callers));
        }
    }

    /**
     * Registers the metrics.
     *
     * @param now supplies the policy in effect, from memory
     */
    public static void show(ServerMetrics metrics, Supplier<InEffect> now) {
        MeterRegistry registry = metrics.registry();
        MultiGauge info = MultiGauge.builder("policy.info")
                .description("Revision of the policy in effect, as a label; the value is always 1.")
                .register(registry);
        metrics.beforeReading(() -> info.register(
                List.of(MultiGauge.Row.of(Tags.of("revision", now.get().revision()), 1)), true));
        value(
                        now,
                        "policy.loaded.timestamp.seconds",
                        policy -> policy.loadedAt().getEpochSecond())
                .description("Time at which the policy in effect was loaded, in seconds since the epoch.")
                .register(registry);
        value(now, "policy.age.seconds", policy -> seconds(Duration.between(policy.loadedAt(), Instant.now())))
                .description("Age of the policy in effect, in seconds.")
                .register(registry);
        value(now, "policy.last.reload.successful", policy -> policy.broken() ? 0 : 1)
                .description(
                        "Whether the last reload of the policy files succeeded: 1, or 0 while an earlier policy is in effect.")
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
                .description("Number of objects of the policy in effect, by kind.")
                .tag("kind", kind)
                .register(registry);
    }

    private static Gauge.Builder<Supplier<InEffect>> value(
            Supplier<InEffect> now, String name, ToDoubleFunction<InEffect> value) {
        return Gauge.builder(name, now, policy -> value.applyAsDouble(policy.get()))
                .strongReference(true);
    }
}
