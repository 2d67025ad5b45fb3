package io.plat.authorization;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.plat.tls.files.Sha256;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of configuration reloads, with kube-apiserver's names. */
final class ReloadMeters {
    private static final String PREFIX = "apiserver.authorization.config.controller.automatic.";

    private final String server;
    private final MultiGauge info;
    private final Runnable success;
    private final Runnable failure;

    /** Creates the meters; servers are distinguished by a hash of the file. */
    ReloadMeters(MeterRegistry registry, Path file, InstantSource clock) {
        server = digest(file.toAbsolutePath().toString());
        info = MultiGauge.builder("apiserver.authorization.config.controller.last.config.info")
                .description("Hash of the authorization configuration in effect; always 1.")
                .register(registry);
        success = outcome(registry, "success", clock);
        failure = outcome(registry, "failure", clock);
    }

    /** Registers the meters of a reload outcome; the result records one reload. */
    private Runnable outcome(MeterRegistry registry, String status, InstantSource clock) {
        Tags tags = Tags.of("apiserver_id_hash", server, "status", status);
        AtomicLong last = new AtomicLong();
        Gauge.builder(PREFIX + "reload.last.timestamp.seconds", last, AtomicLong::doubleValue)
                .description(
                        "Time of the last reload of the authorization configuration, by outcome, in seconds since 1970.")
                .tags(tags)
                .register(registry);
        Counter count = Counter.builder(PREFIX + "reloads")
                .description("Reloads of the authorization configuration, by outcome.")
                .tags(tags)
                .register(registry);
        return () -> {
            count.increment();
            last.set(clock.instant().getEpochSecond());
        };
    }

    private static String digest(String text) {
        return "sha256:" + Sha256.hex(text);
    }

    /** Publishes the hash of the configuration in effect. */
    void inEffect(String content) {
        Tags tags = Tags.of("apiserver_id_hash", server, "hash", digest(content));
        info.register(List.of(MultiGauge.Row.of(tags, 1)), true);
    }

    void succeeded() {
        success.run();
    }

    void failed() {
        failure.run();
    }
}
