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
                .description(
                        "Time since the API server last confirmed that the followed RBAC objects are current, in seconds.")
                .register(registry);
        FunctionCounter.builder("policy.source.changes", progress, Progress::changes)
                .description("Changes of followed RBAC objects.")
                .register(registry);
        Gauge.builder("policy.incomplete.roles", progress, Progress::incomplete)
                .description("Cluster roles whose aggregated rules exceed the limit, so that some are left out.")
                .register(registry);
        for (RbacKind kind : RbacKind.values()) {
            counter(
                    registry,
                    progress,
                    "lists",
                    "Completed lists of followed RBAC objects.",
                    kind,
                    now -> now.lists(kind));
            counter(
                    registry,
                    progress,
                    "watches",
                    "Watches started on followed RBAC objects, including restarts.",
                    kind,
                    now -> now.watches(kind));
            counter(
                    registry,
                    progress,
                    "failures",
                    "Failed list and watch requests for followed RBAC objects.",
                    kind,
                    now -> now.failures(kind));
            Gauge.builder("policy.source.unusable.objects", progress, now -> now.unusable(kind))
                    .description("Followed RBAC objects that are invalid and grant nothing.")
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
