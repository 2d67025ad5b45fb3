package io.plat.apiserver;

import io.plat.apiserver.audit.AuditSettings;
import io.plat.apiserver.audit.AuditSettings.Mode;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Flags for audit logging. */
final class AuditFlags {
    /** Default maximum size of a log file, as in kube-apiserver. */
    private static final int DEFAULT_MEGABYTES = 100;

    private final Flag<Optional<Path>> policy;
    private final Flag<Optional<Path>> path;
    private final Flag<String> format;
    private final Flag<Integer> maxSize;
    private final Flag<Integer> maxBackup;
    private final Flag<Integer> maxAge;
    private final Flag<Mode> mode;
    private final Flag<Optional<Path>> webhook;
    private final Flag<Mode> webhookMode;
    private final Flag<Integer> batchSize;
    private final Flag<Duration> batchWait;
    private final Flag<Duration> backoff;

    AuditFlags(FlagSet set) {
        policy = set.optional("audit-policy-file", FlagType.PATH);
        path = set.optional("audit-log-path", FlagType.PATH);
        format = set.value(
                "audit-log-format",
                new FlagType<>(
                        "json; the format legacy is not written",
                        text -> text.equals("json") ? Optional.of(text) : Optional.empty()));
        maxSize = set.value("audit-log-maxsize", FlagType.number(0, 1 << 20));
        maxBackup = set.value("audit-log-maxbackup", FlagType.COUNT);
        maxAge = set.value("audit-log-maxage", FlagType.number(0, 36_500));
        mode = set.value("audit-log-mode", FlagType.of(Mode.class));
        webhook = set.optional("audit-webhook-config-file", FlagType.PATH);
        webhookMode = set.value("audit-webhook-mode", FlagType.of(Mode.class));
        batchSize = set.value("audit-webhook-batch-max-size", FlagType.number(1, 10_000));
        batchWait = set.value("audit-webhook-batch-max-wait", FlagType.POSITIVE_DURATION);
        backoff = set.value("audit-webhook-initial-backoff", FlagType.POSITIVE_DURATION);
        set.checkRequires(policy, path, webhook);
        set.checkRequires(path, format, maxSize, maxBackup, maxAge, mode);
        set.checkRequires(webhook, webhookMode, batchSize, batchWait, backoff);
    }

    /** Returns the settings; empty if auditing is disabled. */
    Optional<AuditSettings> settings(FlagValues values) {
        Optional<AuditSettings.Log> log =
                values.get(path).map(file -> new AuditSettings.Log(file(values, file), values.get(mode)));
        Optional<AuditSettings.Webhook> sent = values.get(webhook)
                .map(config -> new AuditSettings.Webhook(
                        config,
                        values.get(webhookMode),
                        values.get(batchSize),
                        values.get(batchWait),
                        values.get(backoff)));
        return values.get(policy).map(file -> new AuditSettings(file, log, sent));
    }

    private LogFile file(FlagValues values, Path file) {
        int megabytes = values.get(maxSize) == 0 ? DEFAULT_MEGABYTES : values.get(maxSize);
        return new LogFile(file, (long) megabytes << 20, values.get(maxBackup), Duration.ofDays(values.get(maxAge)));
    }
}
