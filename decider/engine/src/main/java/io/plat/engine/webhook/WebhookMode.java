package io.plat.engine.webhook;

import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.engine.Authorizer;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.LoadedCertificate;
import io.plat.tls.ReloadListener;
import io.plat.tls.pem.PemException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Mode Webhook as a whole: the decider that is asked, what it has answered, and its revisions, by which answers are dropped. Safe for
 * any number of threads.
 */
public final class WebhookMode implements AutoCloseable {
    private final ClientTls tls;
    private final WebhookAuthorizer remote;
    private final CachingAuthorizer cached;
    private volatile Runnable changed = () -> {};

    /**
     * What the flags say.
     *
     * @param configFile the client configuration file that names the decider
     * @param asking in which vocabulary, and how long
     * @param caching how long answers are remembered
     */
    public record Choices(Path configFile, WebhookAuthorizer.Settings asking, CachingAuthorizer.Settings caching) {}

    private WebhookMode(Endpoint endpoint, ClientTls tls, Choices choices) {
        this.tls = tls;
        remote = new WebhookAuthorizer(endpoint, choices.asking());
        cached = new CachingAuthorizer(remote::ask, remote, choices.caching(), Ticker.systemTicker());
    }

    private final class News implements PolicyNews {
        @Override
        public boolean told(Set<String> revisions) {
            boolean other = cached.told(revisions);
            if (other) {
                changed.run();
            }
            return other;
        }

        @Override
        public void untold() {
            cached.untold();
        }

        @Override
        public void changed() {
            cached.changed();
            changed.run();
        }
    }

    /**
     * Reads the client configuration file and what it names. Nothing is connected to before the first question or {@link #follow}.
     *
     * @param reloads hears what becomes of changed certificates
     * @throws ProblemsException everything that is wrong with the files
     */
    public static WebhookMode open(Choices choices, ReloadListener reloads, InstantSource clock)
            throws ProblemsException {
        ServerConnection connection = ClientConfig.read(choices.configFile()).resolveForWebhook();
        ClientTls tls;
        try {
            tls = ClientTls.open(connection.tls(), reloads, clock);
        } catch (PemException unusable) {
            throw new ProblemsException(new Problem(connection.where(), String.valueOf(unusable.getMessage())));
        }
        return new WebhookMode(Endpoint.of(connection, tls), tls, choices);
    }

    /** Asks the decider, or remembers what it said. */
    public Authorizer authorizer() {
        return cached;
    }

    /**
     * Begins to follow the decider's revisions. To be called once.
     *
     * @param whenChanged called when the decider decides by another policy, after what it had decided before was dropped; must return
     *     at once
     */
    public void follow(Runnable whenChanged) {
        changed = whenChanged;
        remote.deciders().follow(new News());
    }

    /** Whether the decider tells its revisions; where not, answers are kept for their time. */
    public boolean isFollowing() {
        return remote.deciders().isTold();
    }

    /** Has somebody hear of each round trip to the decider from now on. */
    public void tell(RoundTrips listener) {
        remote.tell(listener);
    }

    /** Has somebody hear of each address of the decider that is asked, those in use included; perhaps of one several times. */
    public void tellAddresses(Consumer<String> listener) {
        remote.deciders().tellAddresses(listener);
    }

    /** Whether an address is asked: it is one of the name's, and answered last. */
    public boolean isAsked(String address) {
        return remote.deciders().isIn(address);
    }

    /** The certificates in use, for metrics: {@code client-certificate} and {@code server-ca}. */
    public List<LoadedCertificate> certificates() {
        return tls.certificates();
    }

    /** The numbers of this mode that metrics show, each by the word that metrics have for it. */
    public static Map<String, ToDoubleFunction<WebhookMode>> numbers() {
        Map<String, ToDoubleFunction<WebhookMode>> numbers = new LinkedHashMap<>();
        for (CacheCounts.Event event : CacheCounts.Event.values()) {
            String word = event.name().toLowerCase(Locale.ROOT);
            numbers.put(word, mode -> mode.cached.counts().of(event));
        }
        numbers.put("entries", mode -> mode.cached.size());
        numbers.put("bytes", mode -> mode.cached.bytes());
        numbers.put("connected", mode -> mode.isFollowing() ? 1 : 0);
        return numbers;
    }

    /** Closes every connection; what is being asked fails. */
    @Override
    public void close() {
        remote.close();
        tls.close();
    }
}
