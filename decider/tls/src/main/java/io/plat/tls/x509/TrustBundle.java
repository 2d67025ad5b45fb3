package io.plat.tls.x509;

import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Trust anchors: usually CA certificates, but a self-signed certificate of a peer is sufficient. */
public final class TrustBundle {
    private final List<X509Certificate> certificates;
    private final Set<X509Certificate> members;
    private final Set<TrustAnchor> anchors;

    /** Creates a bundle of certificates; an empty one trusts no certificate. */
    public TrustBundle(List<X509Certificate> certificates) {
        this.certificates = List.copyOf(certificates);
        this.members = new HashSet<>(certificates);
        this.anchors = members.stream().map(c -> new TrustAnchor(c, null)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Reads a bundle.
     *
     * @throws PemException if it has no certificate or a malformed one
     */
    public static TrustBundle read(PemSource source) throws PemException {
        return new TrustBundle(PemCertificates.read(source));
    }

    /**
     * Reads a bundle from a file, and reloads it when the file changes.
     *
     * @param name contents of the file, for logs and the thread name
     * @throws PemException if it has no certificate or a malformed one
     */
    public static WatchedFiles<TrustBundle> watch(String name, Path file) throws PemException {
        PemSource source = PemSource.file(file);
        return new WatchedFiles<>(name, List.of(file), FileWatch.Settings.SELF_CHECKING, _ -> read(source), _ -> {});
    }

    /**
     * Returns the authorities that the Java runtime trusts.
     *
     * @throws GeneralSecurityException if its key store cannot be used
     */
    public static TrustBundle ofRuntime() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        @Nullable KeyStore runtimeDefault = null;
        factory.init(runtimeDefault);
        Stream<TrustManager> managers = Arrays.stream(factory.getTrustManagers());
        return new TrustBundle(managers.filter(X509TrustManager.class::isInstance)
                .flatMap(m -> Arrays.stream(((X509TrustManager) m).getAcceptedIssuers()))
                .toList());
    }

    /** Returns the certificates, in the order of the file. */
    public List<X509Certificate> certificates() {
        return certificates;
    }

    boolean contains(X509Certificate certificate) {
        return members.contains(certificate);
    }

    Set<TrustAnchor> anchors() {
        return anchors;
    }
}
