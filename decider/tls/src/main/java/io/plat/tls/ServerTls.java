package io.plat.tls;

import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TlsIdentity;
import io.plat.tls.x509.TrustBundle;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The server side of TLS: its certificate, and the verification of client certificates.
 *
 * <p>Files are re-read when they change. Thread-safe.
 */
public final class ServerTls implements AutoCloseable {
    private static final String WHAT = "serving-certificate";

    private final Config config;
    private final WatchedFiles<Loaded> material;
    private final SSLContext context;
    private final CertificateVerifier clients;

    /**
     * Settings.
     *
     * @param certificates the server's chain, leaf first
     * @param key the leaf's key
     * @param clientAuthorities CA bundle that must have issued client certificates; null only if they are merely requested
     * @param clients requirements for client certificates
     */
    public record Config(
            PemSource certificates, PemSource key, @Nullable PemSource clientAuthorities, ClientCertificates clients) {
        public Config {
            if (clients == ClientCertificates.REQUIRED && clientAuthorities == null) {
                throw new IllegalArgumentException("client certificates cannot be required without authorities");
            }
        }

        /** Returns settings that only accept clients with a certificate of these authorities. */
        public static Config requiring(PemSource certificates, PemSource key, PemSource clientAuthorities) {
            return new Config(certificates, key, clientAuthorities, ClientCertificates.REQUIRED);
        }

        /** Returns settings that accept all clients; the application verifies their certificates. */
        public static Config requesting(PemSource certificates, PemSource key) {
            return new Config(certificates, key, null, ClientCertificates.REQUESTED);
        }
    }

    private record Loaded(TlsIdentity identity, TrustBundle authorities, SSLContext context) {}

    /**
     * Reads the files and watches them from now on.
     *
     * @param listener notified of reloads, under the name {@code serving-certificate}
     * @param clock the clock for validity
     * @throws PemException if a file is invalid
     */
    public ServerTls(Config config, ReloadListener listener, InstantSource clock) throws PemException {
        this.config = config;
        this.material = new WatchedFiles<>(
                WHAT,
                PemSource.paths(config.certificates, config.key, config.clientAuthorities),
                FileWatch.Settings.SELF_CHECKING,
                last -> load(config, last, clock),
                problem -> listener.reloaded(WHAT, problem));
        this.context = ReloadingContext.of(() -> material.get().context(), this::apply);
        this.clients = new CertificateVerifier(() -> material.get().authorities(), CertificateUsage.CLIENT, clock);
    }

    /** Returns a context with a fixed certificate that requests none of clients, for servers of tools. */
    public static SSLContext context(TlsIdentity identity) {
        CertificateVerifier none = new CertificateVerifier(
                () -> new TrustBundle(List.of()), CertificateUsage.CLIENT, InstantSource.system());
        return Contexts.of(
                identity, PeerTrust.ofClients(ClientCertificates.REQUESTED, new TrustBundle(List.of()), none));
    }

    /**
     * Returns the problems of all files.
     *
     * @param failure the failure to open the configuration
     */
    public static Set<String> problems(Config config, PemException failure) {
        Set<String> problems = Stream.of(config.certificates(), config.key())
                .flatMap(source -> source.problem().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (problems.isEmpty()) {
            problems.add(String.valueOf(failure.getMessage()));
        }
        try {
            readAuthorities(config);
        } catch (PemException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        return problems;
    }

    private static TrustBundle readAuthorities(Config config) throws PemException {
        return config.clientAuthorities() == null
                ? new TrustBundle(List.of())
                : TrustBundle.read(config.clientAuthorities());
    }

    private static Loaded load(Config config, Optional<Loaded> last, InstantSource clock) throws PemException {
        TlsIdentity identity = TlsIdentity.read(config.certificates(), config.key());
        ServingCheck.check(config.certificates(), identity, last.map(Loaded::identity), clock.instant());
        TrustBundle read = readAuthorities(config);
        // The same object while the bundle is equal, so that clients are verified again only after a change.
        TrustBundle authorities = last.map(Loaded::authorities)
                .filter(known -> known.certificates().equals(read.certificates()))
                .orElse(read);
        CertificateVerifier verifier = new CertificateVerifier(() -> authorities, CertificateUsage.CLIENT, clock);
        PeerTrust trust = PeerTrust.ofClients(config.clients(), authorities, verifier);
        return new Loaded(identity, authorities, Contexts.of(identity, trust));
    }

    private void apply(SSLParameters parameters) {
        TlsRules.apply(parameters);
        parameters.setUseCipherSuitesOrder(true);
        config.clients().apply(parameters);
    }

    /**
     * Returns the context, the same object for the life of the server. Its engines and layered sockets follow {@link TlsRules}, and require or
     * request a client certificate.
     */
    public SSLContext context() {
        return context;
    }

    /** Returns the requirements for client certificates. */
    public ClientCertificates clients() {
        return config.clients();
    }

    /** Returns a verifier of client certificates with the current CA bundle; without one, it rejects all. */
    public CertificateVerifier clientVerifier() {
        return clients;
    }

    public TlsIdentity identity() {
        return material.get().identity();
    }

    /** Returns every certificate in use: {@code serving-certificate} and {@code client-ca}. */
    public List<LoadedCertificate> certificates() {
        Loaded now = material.get();
        List<LoadedCertificate> all =
                new ArrayList<>(LoadedCertificate.of(WHAT, now.identity().chain()));
        all.addAll(LoadedCertificate.of("client-ca", now.authorities().certificates()));
        return List.copyOf(all);
    }

    /** Stops watching the files. Connections and the context remain usable. */
    @Override
    public void close() {
        material.close();
    }
}
