package io.plat.decider;

import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.decider.DeciderFlags.RemoteOptions;
import io.plat.engine.Authorizer;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.Endpoint;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import java.nio.file.Path;
import java.time.InstantSource;

/** The mode that asks a further decider: from its flags to an authorizer. */
final class RemoteMode implements AuthorizerSource {
    private final Path config;
    private final RemoteOptions options;
    private final ServerMetrics metrics;
    private final Opened opened;
    private final InstantSource clock;

    /**
     * The mode; nothing is read yet.
     *
     * @param config the client configuration file
     * @param opened gets what has to be closed
     */
    RemoteMode(Path config, RemoteOptions options, ServerMetrics metrics, Opened opened, InstantSource clock) {
        this.config = config;
        this.options = options;
        this.metrics = metrics;
        this.opened = opened;
        this.clock = clock;
    }

    @Override
    public Authorizer open() throws ProblemsException {
        ServerConnection connection = ClientConfig.read(config).resolveForWebhook();
        ClientTls tls = opened.with(openTls(connection));
        WebhookAuthorizer remote = opened.with(new WebhookAuthorizer(
                Endpoint.of(connection, tls), new WebhookAuthorizer.Settings(options.version(), options.timeout())));
        return new CachingAuthorizer(
                remote,
                new CachingAuthorizer.Settings(options.authorizedTtl(), options.unauthorizedTtl()),
                Ticker.systemTicker());
    }

    private ClientTls openTls(ServerConnection connection) throws ProblemsException {
        try {
            return ClientTls.open(connection.tls(), metrics.certificateReloads(), clock);
        } catch (PemException unusable) {
            throw new ProblemsException(new Problem(connection.where(), String.valueOf(unusable.getMessage())));
        }
    }
}
