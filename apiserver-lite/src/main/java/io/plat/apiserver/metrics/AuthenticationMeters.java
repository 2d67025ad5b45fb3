package io.plat.apiserver.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code authentication_attempts} and {@code authenticated_user_requests}. Their names end as existing servers have them, which is why
 * they are shown without a type: the library would put {@code _total} behind those of counters. For any number of threads.
 */
public final class AuthenticationMeters implements MultiCollector {
    /** Names that existing servers show as they are; all others are {@code email_id} or {@code other}. */
    private static final List<String> SHOWN =
            List.of("admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default");

    private static final int ADDRESS = SHOWN.size();
    private static final int OTHER = ADDRESS + 1;

    private final LongAdder[] users = new LongAdder[OTHER + 1];
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder absent = new LongAdder();

    /** Nothing is counted yet. */
    public AuthenticationMeters() {
        for (int i = 0; i < users.length; i++) {
            users[i] = new LongAdder();
        }
    }

    /** It is known who asks. */
    public void succeeded(String user) {
        succeeded.increment();
        users[place(user)].increment();
    }

    private static int place(String user) {
        int shown = SHOWN.indexOf(user);
        if (shown >= 0) {
            return shown;
        }
        return user.indexOf('@') >= 0 ? ADDRESS : OTHER;
    }

    /** A credential is not to be believed. */
    public void refused() {
        refused.increment();
    }

    /** There was no credential, and nobody is admitted without. */
    public void absent() {
        absent.increment();
    }

    @Override
    public MetricSnapshots collect() {
        UnknownSnapshot.Builder attempts =
                named("authentication_attempts", "Requests by whether it became known who asks.");
        add(attempts, "result", "success", succeeded);
        add(attempts, "result", "error", refused);
        add(attempts, "result", "failure", absent);
        UnknownSnapshot.Builder requests = named("authenticated_user_requests", "Requests by who asks.");
        for (int i = 0; i < users.length; i++) {
            add(requests, "username", i < ADDRESS ? SHOWN.get(i) : i == ADDRESS ? "email_id" : "other", users[i]);
        }
        return MetricSnapshots.of(attempts.build(), requests.build());
    }

    private static UnknownSnapshot.Builder named(String name, String help) {
        return UnknownSnapshot.builder().name(name).help(help);
    }

    private static void add(UnknownSnapshot.Builder into, String label, String value, LongAdder count) {
        if (count.sum() > 0) {
            into.dataPoint(UnknownSnapshot.UnknownDataPointSnapshot.builder()
                    .value((double) count.sum())
                    .labels(Labels.of(label, value))
                    .build());
        }
    }
}
