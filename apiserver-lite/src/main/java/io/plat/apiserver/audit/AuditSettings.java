package io.plat.apiserver.audit;

import io.plat.apiserver.audit.Audit.AuditMeters;
import io.plat.apiserver.audit.Audit.Backend;
import io.plat.apiserver.audit.policy.AuditPolicy;
import io.plat.apiserver.audit.policy.PolicyReader;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LineLog.Batches;
import io.plat.http.lines.LogFile;
import io.plat.http.lines.Losses;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.StartException;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings of the audit log. */
public record AuditSettings(Path policy, Optional<Log> log, Optional<Webhook> webhook) {
    /** Mode of a backend: whether requests wait for their events, and the effect of a recording failure on them. */
    public enum Mode {
        /** Requests do not wait; an event that cannot be recorded is dropped. */
        BATCH,
        /** Requests wait, and proceed even if their events cannot be recorded. */
        BLOCKING,
        /** Requests wait; they fail if their arrival cannot be recorded. */
        BLOCKING_STRICT;

        private LineLog.Behaviour behaviour(LineLog.Limits limits, Duration timeout) {
            return new LineLog.Behaviour(this != BATCH, limits, timeout);
        }

        private Backend backend(LineLog.Parts<AuditEvent> parts) {
            return new Backend(new LineLog<>(parts), this == BLOCKING_STRICT);
        }
    }

    public record Log(LogFile file, Mode mode) {
        private static final String NAME = "audit log";
        private static final Duration TIMEOUT = Duration.ofSeconds(5);

        private Backend open(AuditMeters meters, InstantSource clock) throws IOException {
            return mode.backend(new LineLog.Parts<>(
                    mode.behaviour(LineLog.Limits.STANDARD, TIMEOUT),
                    Batches.OF_FILES,
                    new EventEncoder(true),
                    file.open(NAME, clock),
                    losses(NAME, meters, "log")));
        }
    }

    /**
     * Webhook.
     *
     * @param batchSize maximum number of events in a batch, in batch mode
     * @param batchWait maximum wait for a batch to fill
     * @param initialBackoff delay before the first retry
     */
    public record Webhook(Path config, Mode mode, int batchSize, Duration batchWait, Duration initialBackoff) {
        private static final Duration TIMEOUT = Duration.ofSeconds(30);
        private static final LineLog.Limits LIMITS = new LineLog.Limits(10_000, 64L << 20);
        private static final int LIST_BYTES = 8 << 20;

        private Backend open(AuditMeters meters, ServerMetrics metrics, InstantSource clock) throws ProblemsException {
            ServerConnection connection = ClientConfig.read(config).resolveForWebhook();
            AuditWebhookSink sink = new AuditWebhookSink(
                    new AuditWebhookSink.Target(
                            connection.server(),
                            connection.openTls(metrics.certificateReloads(), clock),
                            connection.token()),
                    new AuditWebhookSink.Timeouts(TIMEOUT, initialBackoff));
            return mode.backend(new LineLog.Parts<>(
                    mode.behaviour(LIMITS, TIMEOUT),
                    new Batches(batchSize, LIST_BYTES, batchWait),
                    new EventEncoder(false),
                    sink,
                    losses("audit webhook", meters, "webhook")));
        }
    }

    private static Losses losses(String name, AuditMeters meters, String plugin) {
        return new Losses(name, written -> {}, meters.errors(plugin), System::nanoTime);
    }

    /** Opens the audit log, which writes nothing before {@link Audit#start}. What cannot be opened is a problem, and left out. */
    public @Nullable Audit open(
            PolicyInEffect policyInEffect,
            ServerMetrics metrics,
            InstantSource clock,
            StartException.Collector problems) {
        AuditMeters meters = new AuditMeters(metrics.registry());
        @Nullable AuditPolicy rules = problems.open("", () -> PolicyReader.read(policy));
        @Nullable
        Backend logging = log.isEmpty()
                ? null
                : problems.open("--audit-log-path", () -> log.get().open(meters, clock));
        @Nullable
        Backend sending =
                webhook.isEmpty() ? null : problems.open("", () -> webhook.get().open(meters, metrics, clock));
        List<Backend> backends = Stream.concat(Stream.ofNullable(logging), Stream.ofNullable(sending))
                .toList();
        return rules == null ? null : new Audit(rules, backends, meters, policyInEffect, clock);
    }
}
