package io.plat.apiserver.metrics;

import io.plat.http.authentication.Authentication;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code authentication_attempts} and {@code authenticated_user_requests}. They are exported untyped to keep kube-apiserver's names: the
 * library would append {@code _total} to those of counters. Thread-safe.
 */
public final class AuthenticationMeters implements MultiCollector {
    /** User names that kube-apiserver exports as they are; all others are {@code email_id} or {@code other}. */
    private static final List<String> SHOWN =
            List.of("admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default");

    private final Map<String, LongAdder> users = new LinkedHashMap<>();
    private final Map<String, LongAdder> results = new LinkedHashMap<>();

    public AuthenticationMeters() {
        SHOWN.forEach(user -> users.put(user, new LongAdder()));
        List.of("email_id", "other").forEach(kind -> users.put(kind, new LongAdder()));
        List.of("success", "error", "failure").forEach(result -> results.put(result, new LongAdder()));
    }

    /** Counts a result; {@code Absent} if a request has no credential and anonymous requests are disabled. */
    public void count(Authentication result) {
        switch (result) {
            case Authentication.Authenticated authenticated -> {
                String user = authenticated.user().name();
                count(results, "success");
                count(users, SHOWN.contains(user) ? user : user.indexOf('@') >= 0 ? "email_id" : "other");
            }
            case Authentication.Refused _, Authentication.Undecided _ -> count(results, "error");
            case Authentication.Absent _ -> count(results, "failure");
        }
    }

    private static void count(Map<String, LongAdder> counts, String label) {
        Objects.requireNonNull(counts.get(label)).increment();
    }

    @Override
    public MetricSnapshots collect() {
        return MetricSnapshots.of(
                shown("authentication_attempts", "Authentication attempts by result.", "result", results),
                shown("authenticated_user_requests", "Authenticated requests by user.", "username", users));
    }

    private static UnknownSnapshot shown(String name, String help, String label, Map<String, LongAdder> counts) {
        UnknownSnapshot.Builder builder = UnknownSnapshot.builder().name(name).help(help);
        counts.forEach((value, count) -> {
            if (count.sum() > 0) {
                builder.dataPoint(UnknownSnapshot.UnknownDataPointSnapshot.builder()
                        .value((double) count.sum())
                        .labels(Labels.of(label, value))
                        .build());
            }
        });
        return builder.build();
    }
}
