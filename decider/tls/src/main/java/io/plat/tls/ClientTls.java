package io.plat.tls;

import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TlsIdentity;
import io.plat.tls.x509.TrustBundle;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The client side of TLS: trusted CAs and the client certificate.
 *
 * <p>The server's name is always checked, by subject alternative names only, also on connections that were not configured for it. Thread-safe.
 */
public final class ClientTls implements AutoCloseable {
    private static final String WHAT = "client-certificate";

    private final Supplier<Loaded> material;
    private final SSLContext context;
    private final Runnable closing;

    /**
     * Settings.
     *
     * @param authorities CA bundle that must have issued the server's certificate; null for the Java runtime's
     * @param certificates the client's chain, leaf first; null for none
     * @param key the leaf's key; null if and only if {@code certificates} is
     * @param serverName the name that the server's certificate must have; null for the host of the connection
     */
    public record Config(
            @Nullable PemSource authorities,
            @Nullable PemSource certificates,
            @Nullable PemSource key,
            @Nullable String serverName) {
        public Config {
            if ((certificates == null) != (key == null)) {
                throw new IllegalArgumentException("a certificate and its key are given together or not at all");
            }
        }
    }

    private record Loaded(@Nullable TlsIdentity identity, TrustBundle authorities, SSLContext context) {}

    private ClientTls(Supplier<Loaded> material, Runnable closing) {
        this.material = material;
        this.closing = closing;
        this.context = ReloadingContext.of(() -> material.get().context(), TlsRules::apply);
    }

    /**
     * Reads the files once, for a short-lived program.
     *
     * @throws PemException if one is invalid
     */
    public static ClientTls read(Config config, InstantSource clock) throws PemException {
        Loaded loaded = load(config, clock);
        return new ClientTls(() -> loaded, () -> {});
    }

    /**
     * Reads the files and watches them from now on.
     *
     * @param listener notified of reloads, under the name {@code client-certificate}
     * @throws PemException if one is invalid
     */
    public static ClientTls open(Config config, ReloadListener listener, InstantSource clock) throws PemException {
        WatchedFiles<Loaded> reloading = new WatchedFiles<>(
                WHAT,
                PemSource.paths(config.authorities, config.certificates, config.key),
                FileWatch.Settings.SELF_CHECKING,
                _ -> load(config, clock),
                problem -> listener.reloaded(WHAT, problem));
        return new ClientTls(reloading, reloading::close);
    }

    private static Loaded load(Config config, InstantSource clock) throws PemException {
        TrustBundle authorities = authorities(config);
        TlsIdentity identity = config.certificates() == null || config.key() == null
                ? null
                : TlsIdentity.read(config.certificates(), config.key());
        CertificateVerifier verifier = new CertificateVerifier(() -> authorities, CertificateUsage.SERVER, clock);
        return new Loaded(
                identity, authorities, Contexts.of(identity, PeerTrust.ofServer(verifier, config.serverName())));
    }

    private static TrustBundle authorities(Config config) throws PemException {
        if (config.authorities() != null) {
            return TrustBundle.read(config.authorities());
        }
        try {
            return TrustBundle.ofRuntime();
        } catch (GeneralSecurityException e) {
            throw new PemException("the Java runtime's trusted certificates", "cannot be read: " + e.getMessage());
        }
    }

    /** Returns the context, the same object for the life of the client; its connections follow {@link TlsRules}. */
    public SSLContext context() {
        return context;
    }

    /** Returns the client certificate and key; empty for none. */
    public Optional<TlsIdentity> identity() {
        return Optional.ofNullable(material.get().identity());
    }

    /** Returns every certificate in use: {@code client-certificate} and {@code server-ca}. */
    public List<LoadedCertificate> certificates() {
        Loaded now = material.get();
        List<LoadedCertificate> all = new ArrayList<>(
                LoadedCertificate.of("server-ca", now.authorities().certificates()));
        identity().ifPresent(identity -> all.addAll(LoadedCertificate.of(WHAT, identity.chain())));
        return List.copyOf(all);
    }

    /** Stops watching the files. Connections and the context remain usable. */
    @Override
    public void close() {
        closing.run();
    }
}
