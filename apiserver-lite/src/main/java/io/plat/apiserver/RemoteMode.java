package io.plat.apiserver;

import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.engine.Authorizer;
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

/** Mode Webhook: the remote decider that the client configuration file names, with a cache in front. */
final class RemoteMode implements AutoCloseable {
    private final ClientTls tls;
    private final WebhookAuthorizer remote;
    private final Authorizer cached;

    /**
     * What the flags say.
     *
     * @param configFile the client configuration file
     * @param asking in which vocabulary, and how long
     * @param caching how long answers are remembered
     */
    record Choices(Path configFile, WebhookAuthorizer.Settings asking, CachingAuthorizer.Settings caching) {}

    private RemoteMode(ClientTls tls, WebhookAuthorizer remote, Authorizer cached) {
        this.tls = tls;
        this.remote = remote;
        this.cached = cached;
    }

    /**
     * Reads the file and what it names. The decider itself is asked when the first decision needs it.
     *
     * @throws ProblemsException everything that is wrong with them
     */
    static RemoteMode open(Choices choices, ServerMetrics metrics, InstantSource clock) throws ProblemsException {
        ServerConnection connection = ClientConfig.read(choices.configFile()).resolveForWebhook();
        ClientTls tls;
        try {
            tls = ClientTls.open(connection.tls(), metrics.certificateReloads(), clock);
        } catch (PemException unusable) {
            throw new ProblemsException(new Problem(connection.where(), String.valueOf(unusable.getMessage())));
        }
        WebhookAuthorizer remote = new WebhookAuthorizer(Endpoint.of(connection, tls), choices.asking());
        return new RemoteMode(tls, remote, new CachingAuthorizer(remote, choices.caching(), Ticker.systemTicker()));
    }

    Authorizer authorizer() {
        return cached;
    }

    @Override
    public void close() {
        remote.close();
        tls.close();
    }
}
