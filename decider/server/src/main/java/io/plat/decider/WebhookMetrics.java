package io.plat.decider;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.metrics.WebhookMeters;

/** Shows a webhook among the metrics. */
final class WebhookMetrics {
    private WebhookMetrics() {}

    /** Shows it for as long as somebody keeps it. */
    static void show(WebhookMode webhook, MeterRegistry registry) {
        WebhookMeters<WebhookMode> meters = new WebhookMeters<>(registry, webhook);
        meters.following(WebhookMode::isFollowing);
        meters.requests(
                mode -> mode.cache().counts().hits(),
                mode -> mode.cache().counts().misses());
        meters.dropped("size", mode -> mode.cache().counts().evictions());
        meters.dropped("expired", mode -> mode.cache().counts().expirations());
        meters.dropped("revision", mode -> mode.cache().counts().revocations());
        meters.dropped("outdated", mode -> mode.cache().counts().outdatedAnswers());
        meters.kept(mode -> mode.cache().size(), mode -> mode.cache().bytes());
    }
}
