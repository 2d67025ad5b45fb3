package io.plat.apiserver;

import io.plat.apiserver.audit.AuditSettings;
import io.plat.apiserver.audit.AuditSettings.Mode;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The flags about which requests are recorded, and where. */
final class AuditFlags {
    /** A file of no particular size is this large at most, as in the field. */
    private static final int STANDARD_MEGABYTES = 100;

    private static final FlagType<Mode> MODE = new FlagType<>(
            "batch|blocking|blocking-strict", "one of batch, blocking, blocking-strict", AuditFlags::mode);

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
        set.group("Audit");
        policy = set.optional(
                "audit-policy-file",
                FlagType.PATH,
                "Which requests are recorded, and how much of them: a Policy of audit.k8s.io/v1.");
        path = set.optional(
                "audit-log-path",
                FlagType.PATH,
                "Where each event is written as a line of JSON; - is stdout. No log without it.");
        format = set.value(
                "audit-log-format",
                new FlagType<>(
                        "json",
                        "json; the format legacy is not written",
                        text -> text.equals("json") ? Optional.of(text) : Optional.empty()),
                "json",
                "The format of the log.");
        maxSize = set.value(
                "audit-log-maxsize",
                FlagType.number("MEGABYTES", 0, 1 << 20),
                "0",
                "How large a file of the log gets before it is put aside, in megabytes; 0 is " + STANDARD_MEGABYTES
                        + ".");
        maxBackup = set.value("audit-log-maxbackup", FlagType.COUNT, "0", "How many full files are kept; 0 keeps all.");
        maxAge = set.value(
                "audit-log-maxage",
                FlagType.number("DAYS", 0, 36_500),
                "0",
                "How many days full files are kept; 0 is forever.");
        mode = set.value(
                "audit-log-mode",
                MODE,
                "blocking",
                "Whether requests wait for their events, and fail where the event of their arrival can't be written "
                        + "(blocking-strict).");
        webhook = set.optional(
                "audit-webhook-config-file",
                FlagType.PATH,
                "The client configuration file of the server that events are sent to, over https.");
        webhookMode = set.value("audit-webhook-mode", MODE, "batch", "The same for the webhook.");
        batchSize = set.value(
                "audit-webhook-batch-max-size",
                FlagType.number("COUNT", 1, 10_000),
                "400",
                "How many events are sent at once at most; only in mode batch.");
        batchWait = set.value(
                "audit-webhook-batch-max-wait",
                FlagType.POSITIVE_DURATION,
                "30s",
                "How long an event waits for others to be sent with it; only in mode batch.");
        backoff = set.value(
                "audit-webhook-initial-backoff",
                FlagType.POSITIVE_DURATION,
                "10s",
                "How long the first of the retries waits.");
        set.check(this::check);
    }

    private static Optional<Mode> mode(String text) {
        return Arrays.stream(Mode.values())
                .filter(known ->
                        known.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text))
                .findFirst();
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (!values.given(policy)) {
            for (Flag<?> flag : List.of(path, webhook)) {
                if (values.given(flag)) {
                    problems.add(flag, "without a policy nothing would be recorded, expected --audit-policy-file too");
                }
            }
        }
        require(values, problems, path, List.of(format, maxSize, maxBackup, maxAge, mode));
        require(values, problems, webhook, List.of(webhookMode, batchSize, batchWait, backoff));
    }

    private static void require(FlagValues values, FlagProblems problems, Flag<?> backend, List<Flag<?>> others) {
        for (Flag<?> flag : others) {
            if (values.given(flag) && !values.given(backend)) {
                problems.add(flag, "nothing is recorded there, expected " + backend.dashed() + " too");
            }
        }
    }

    /** What is wanted; empty for nothing. */
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
        int megabytes = values.get(maxSize) == 0 ? STANDARD_MEGABYTES : values.get(maxSize);
        return new LogFile(file, (long) megabytes << 20, values.get(maxBackup), Duration.ofDays(values.get(maxAge)));
    }
}
