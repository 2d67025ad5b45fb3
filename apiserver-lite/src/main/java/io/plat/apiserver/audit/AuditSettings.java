package io.plat.apiserver.audit;

import io.plat.http.lines.LogFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is to be recorded, and where.
 *
 * @param policy the file of the policy
 * @param log the log, if there is one
 * @param webhook the webhook, if there is one
 */
public record AuditSettings(Path policy, Optional<Log> log, Optional<Webhook> webhook) {
    /** Who waits for an event, and what becomes of a request whose event can't be recorded. */
    public enum Mode {
        /** Nobody waits; the event is dropped. */
        BATCH,
        /** The request waits; it goes on. */
        BLOCKING,
        /** The request waits; where it is the event of its arrival, it fails. */
        BLOCKING_STRICT
    }

    /**
     * A log.
     *
     * @param file where
     * @param mode who waits for it
     */
    public record Log(LogFile file, Mode mode) {}

    /**
     * A webhook.
     *
     * @param config the client configuration file that says where it is
     * @param mode who waits for it
     * @param batchSize how many events are sent at once at most, where nobody waits
     * @param batchWait how long the first of them waits for the others
     * @param initialBackoff how long the first retry waits
     */
    public record Webhook(Path config, Mode mode, int batchSize, Duration batchWait, Duration initialBackoff) {}

    public AuditSettings {
        Objects.requireNonNull(policy);
        Objects.requireNonNull(log);
        Objects.requireNonNull(webhook);
    }
}
