package io.plat.apiserver.audit;

import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the audit log.
 *
 * @param policy policy file
 */
public record AuditSettings(Path policy, Optional<Log> log, Optional<Webhook> webhook) {
    /** Mode of a backend: whether requests wait for their events, and the effect of a recording failure on them. */
    public enum Mode {
        /** Requests do not wait; an event that cannot be recorded is dropped. */
        BATCH,
        /** Requests wait, and proceed even if their events cannot be recorded. */
        BLOCKING,
        /** Requests wait; they fail if their arrival cannot be recorded. */
        BLOCKING_STRICT
    }

    public record Log(LogFile file, Mode mode) {}

    /**
     * Webhook.
     *
     * @param batchSize maximum number of events in a batch, in batch mode
     * @param batchWait maximum wait for a batch to fill
     * @param initialBackoff delay before the first retry
     */
    public record Webhook(Path config, Mode mode, int batchSize, Duration batchWait, Duration initialBackoff) {}
}
