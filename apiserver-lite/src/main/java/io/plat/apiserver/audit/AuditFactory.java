package io.plat.apiserver.audit;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.apiserver.audit.Audit.Backend;
import io.plat.apiserver.audit.AuditSettings.Mode;
import io.plat.apiserver.audit.policy.AuditPolicy;
import io.plat.apiserver.audit.policy.PolicyReader;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LineLog.Batches;
import io.plat.http.lines.LineSink;
import io.plat.http.lines.Losses;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.ReloadListener;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Opens the audit log from its settings: reads the policy, and opens the log and the webhook. All problems are reported together. */
public final class AuditFactory {
    private static final Duration LOG_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);
    private static final LineLog.Limits BATCH_LIMITS = new LineLog.Limits(10_000, 64L << 20);
    private static final int LIST_BYTES = 8 << 20;

    private final Environment environment;
    private final Audit.AuditMeters meters;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Backend> backends = new ArrayList<>();

    /**
     * Environment of the audit log.
     *
     * @param reloads listener for reloads of certificates
     */
    public record Environment(
            MeterRegistry registry, PolicyInEffect policyInEffect, ReloadListener reloads, InstantSource clock) {}

    private AuditFactory(Environment environment) {
        this.environment = environment;
        this.meters = new Audit.AuditMeters(environment.registry());
    }

    /** Opens the audit log; nothing is written before {@link Audit#start}. */
    public static Audit open(AuditSettings settings, Environment environment) throws ProblemsException {
        return new AuditFactory(environment).run(settings);
    }

    private Audit run(AuditSettings settings) throws ProblemsException {
        List<AuditPolicy> policy = new ArrayList<>(1);
        try {
            policy.add(PolicyReader.read(settings.policy()));
        } catch (ProblemsException unusable) {
            problems.addAll(unusable.problems());
        }
        settings.log().ifPresent(this::log);
        settings.webhook().ifPresent(this::webhook);
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        return new Audit(new Audit.Parts(
                policy.getFirst(), backends, meters, environment.policyInEffect(), environment.clock()));
    }

    private void log(AuditSettings.Log log) {
        String name = "audit log";
        try {
            LineSink sink = log.file().open(name, environment.clock());
            LineLog.Behaviour behaviour =
                    new LineLog.Behaviour(log.mode() != Mode.BATCH, LineLog.Limits.STANDARD, LOG_TIMEOUT);
            backends.add(backend(
                    log.mode(),
                    new LineLog.Parts<>(
                            behaviour, Batches.OF_FILES, new EventEncoder(true), sink, losses(name, "log"))));
        } catch (IOException unusable) {
            problems.add(new Problem(new Location("--audit-log-path", 0), String.valueOf(unusable.getMessage())));
        }
    }

    private void webhook(AuditSettings.Webhook webhook) {
        try {
            ServerConnection connection = ClientConfig.read(webhook.config()).resolveForWebhook();
            ClientTls tls = connection.openTls(environment.reloads(), environment.clock());
            AuditWebhookSink post = new AuditWebhookSink(
                    new AuditWebhookSink.Target(connection.server(), tls, connection.token()),
                    new AuditWebhookSink.Timeouts(WEBHOOK_TIMEOUT, webhook.initialBackoff()));
            String name = "audit webhook";
            var behaviour = new LineLog.Behaviour(webhook.mode() != Mode.BATCH, BATCH_LIMITS, WEBHOOK_TIMEOUT);
            Batches batches = new Batches(webhook.batchSize(), LIST_BYTES, webhook.batchWait());
            backends.add(backend(
                    webhook.mode(),
                    new LineLog.Parts<>(behaviour, batches, new EventEncoder(false), post, losses(name, "webhook"))));
        } catch (ProblemsException unusable) {
            problems.addAll(unusable.problems());
        }
    }

    private Losses losses(String name, String plugin) {
        return new Losses(name, written -> {}, meters.errors(plugin), System::nanoTime);
    }

    private static Backend backend(Mode mode, LineLog.Parts<AuditEvent> parts) {
        return new Backend(new LineLog<>(parts), mode == Mode.BLOCKING_STRICT);
    }
}
