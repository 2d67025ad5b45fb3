package io.plat.apiserver;

import io.plat.engine.webhook.RoundTrips;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.metrics.WebhookMeters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Shows a webhook among the metrics. */
final class WebhookMetrics {
    private WebhookMetrics() {}

    /** Shows it for as long as somebody keeps it. */
    static void show(WebhookMode webhook, ServerMetrics metrics) {
        WebhookMeters<WebhookMode> meters = new WebhookMeters<>(metrics.registry(), webhook);
        meters.following(WebhookMode::isFollowing);
        meters.requests(
                mode -> mode.cache().counts().hits(),
                mode -> mode.cache().counts().misses());
        meters.dropped("size", mode -> mode.cache().counts().evictions());
        meters.dropped("expired", mode -> mode.cache().counts().expirations());
        meters.dropped("revision", mode -> mode.cache().counts().revocations());
        meters.dropped("outdated", mode -> mode.cache().counts().outdatedAnswers());
        meters.kept(mode -> mode.cache().size(), mode -> mode.cache().bytes());
        Map<RoundTrips.Result, LongConsumer> roundTrips = new EnumMap<>(RoundTrips.Result.class);
        for (RoundTrips.Result result : RoundTrips.Result.values()) {
            roundTrips.put(result, meters.roundTrips(result.name().toLowerCase(Locale.ROOT)));
        }
        webhook.tell((result, nanos) ->
                Objects.requireNonNull(roundTrips.get(result)).accept(nanos));
        webhook.tellAddresses(address -> meters.address(address, mode -> mode.isAsked(address)));
        metrics.certificates("client-certificate", webhook::certificates);
        metrics.certificates("server-ca", webhook::certificates);
    }
}
