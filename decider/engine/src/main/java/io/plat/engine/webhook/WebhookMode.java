package io.plat.engine.webhook;

import io.plat.client.cache.CacheCounts;
import io.plat.client.remote.DeciderRevisionListener;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.RoundTrips;
import io.plat.engine.Authorizer;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.LoadedCertificate;
import io.plat.tls.ReloadListener;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The Webhook mode: the decider, the cache of its responses, and its revisions, which invalidate the cache. Thread-safe. */
public final class WebhookMode implements AutoCloseable {
    private final ClientTls tls;
    private final WebhookAuthorizer remote;
    private final CachingAuthorizer cached;
    private volatile Runnable changed = () -> {};

    /**
     * Values of the flags.
     *
     * @param configFile the client configuration file of the decider
     * @param requests settings of requests
     * @param caching settings of the cache
     */
    public record Options(Path configFile, WebhookAuthorizer.Settings requests, CachingAuthorizer.Settings caching) {}

    private WebhookMode(Endpoint endpoint, ClientTls tls, Options options) {
        this.tls = tls;
        remote = new WebhookAuthorizer(endpoint, options.requests());
        cached = new CachingAuthorizer(remote::review, remote, options.caching(), System::nanoTime);
    }

    private final class Invalidation implements DeciderRevisionListener {
        @Override
        public boolean received(Set<String> revisions) {
            boolean other = cached.cache().received(revisions);
            if (other) {
                changed.run();
            }
            return other;
        }

        @Override
        public void disconnected() {
            cached.cache().disconnected();
        }

        @Override
        public void changed() {
            cached.cache().changed();
            changed.run();
        }
    }

    /**
     * Reads the client configuration file and the files in it. Connects with the first request or with {@link #follow}.
     *
     * @param reloads listener for changed certificates
     * @throws ProblemsException with all problems of the files
     */
    public static WebhookMode open(Options options, ReloadListener reloads, InstantSource clock)
            throws ProblemsException {
        ServerConnection connection = ClientConfig.read(options.configFile()).resolveForWebhook();
        ClientTls tls = connection.openTls(reloads, clock);
        return new WebhookMode(WebhookEndpoint.of(connection, tls), tls, options);
    }

    /** Returns the caching authorizer. */
    public Authorizer authorizer() {
        return cached;
    }

    /**
     * Starts following the decider's revisions. Must be called once.
     *
     * @param whenChanged called when the decider's policy changed, after decisions of the previous one were dropped; must return at once
     */
    public void follow(Runnable whenChanged) {
        changed = whenChanged;
        remote.deciders().follow(new Invalidation());
    }

    /** Returns whether revisions are received; if not, responses are cached until they expire. */
    public boolean isFollowing() {
        return remote.deciders().isConnected();
    }

    public void onRoundTrip(RoundTrips listener) {
        remote.onRoundTrip(listener);
    }

    /**
     * Sets the listener for addresses of the decider, which is called for current ones and for each new one; perhaps repeatedly for the same
     * one.
     */
    public void onAddress(Consumer<String> listener) {
        remote.deciders().onAddress(listener);
    }

    /** Returns whether an address is in use: it belongs to the name, and its last response succeeded. */
    public boolean isInUse(String address) {
        return remote.deciders().isAvailable(address);
    }

    /** Returns the certificates in use, for metrics: {@code client-certificate} and {@code server-ca}. */
    public List<LoadedCertificate> certificates() {
        return tls.certificates();
    }

    /** Returns the event counts of the cache. */
    public CacheCounts counts() {
        return cached.cache().counts();
    }

    public long cachedEntries() {
        return cached.cache().size();
    }

    public long cachedBytes() {
        return cached.cache().bytes();
    }

    /** Closes all connections; requests in progress fail. */
    @Override
    public void close() {
        remote.close();
        tls.close();
    }
}
