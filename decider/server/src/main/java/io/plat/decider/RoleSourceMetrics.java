package io.plat.decider;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.follow.Progress;
import java.util.function.ToDoubleFunction;

/** Metrics of following a server's role objects: the age of the policy, and requests by type. */
final class RoleSourceMetrics {
    private RoleSourceMetrics() {}

    static void register(MeterRegistry registry, Progress progress) {
        Gauge.builder("policy.source.age.seconds", progress, Progress::ageSeconds)
                .description("How long ago the server last confirmed that the role objects are current.")
                .register(registry);
        FunctionCounter.builder("policy.source.changes", progress, Progress::changes)
                .description("Changes of the policy by the server.")
                .register(registry);
        Gauge.builder("policy.incomplete.roles", progress, Progress::incomplete)
                .description("Cluster roles that lack rules of others, as they would aggregate too many.")
                .register(registry);
        for (RbacKind kind : RbacKind.values()) {
            counter(registry, progress, "lists", "Complete lists.", kind, now -> now.lists(kind));
            counter(registry, progress, "watches", "Watches begun, each time again.", kind, now -> now.watches(kind));
            counter(registry, progress, "failures", "Requests that failed.", kind, now -> now.failures(kind));
            Gauge.builder("policy.source.unusable.objects", progress, now -> now.unusable(kind))
                    .description("Objects of the server that can't be used and grant nothing.")
                    .tag("resource", kind.resource())
                    .register(registry);
        }
    }

    private static void counter(
            MeterRegistry registry,
            Progress progress,
            String what,
            String description,
            RbacKind kind,
            ToDoubleFunction<Progress> count) {
        FunctionCounter.builder("policy.source." + what, progress, count)
                .description(description)
                .tag("resource", kind.resource())
                .register(registry);
    }
}
