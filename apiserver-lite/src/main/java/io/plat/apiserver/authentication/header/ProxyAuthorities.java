package io.plat.apiserver.authentication.header;

import io.plat.tls.files.FileWatch;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The authorities of front proxies in a file. Re-read when it changes; the last good one stays. */
public final class ProxyAuthorities implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyAuthorities.class);

    private final PemSource source;
    private final FileWatch watch;
    private volatile TrustBundle bundle = TrustBundle.of(List.of());

    private ProxyAuthorities(Path file) {
        this.source = PemSource.file(file);
        this.watch = FileWatch.of("requestheader-ca", List.of(file), FileWatch.Settings.DEFAULT, changed -> reload());
    }

    /**
     * Reads the file and watches it from now on.
     *
     * @throws PemException where it can't be used
     */
    public static ProxyAuthorities open(Path file) throws PemException {
        ProxyAuthorities opened = new ProxyAuthorities(file);
        try {
            opened.bundle = TrustBundle.read(opened.source);
        } catch (PemException e) {
            opened.close();
            throw e;
        }
        opened.watch.start();
        return opened;
    }

    private void reload() {
        try {
            bundle = TrustBundle.read(source);
            LOG.info("{}: reloaded", source);
        } catch (PemException e) {
            LOG.warn("the changed authorities can't be used, the last good ones stay in use: {}", e.getMessage());
        }
    }

    /** Judges chains as those of clients by the authorities that are in use then. */
    public CertificateVerifier verifier(InstantSource clock) {
        return new CertificateVerifier(() -> bundle, CertificateUsage.CLIENT, clock);
    }

    @Override
    public void close() {
        watch.close();
    }
}
