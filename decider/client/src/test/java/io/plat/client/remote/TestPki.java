package io.plat.client.remote;

import io.plat.tls.ClientTls;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;

/** A new authority and the certificates that it issues. */
public final class TestPki {
    private final CertificateAuthority authority;

    public TestPki() {
        this(InstantSource.system());
    }

    /** An authority at another time. */
    public TestPki(InstantSource clock) {
        authority = CertificateAuthority.create("test authority", Duration.ofDays(365), clock);
    }

    public TlsIdentity server(String... names) {
        return authority.issue(CertificateRequest.server("decider", names));
    }

    public TlsIdentity expired(String... names) {
        InstantSource lastYear = () -> InstantSource.system().instant().minus(Duration.ofDays(300));
        return CertificateAuthority.of(authority.identity(), lastYear)
                .issue(CertificateRequest.server("decider", names).validFor(Duration.ofDays(1)));
    }

    public TlsIdentity client(String name) {
        return authority.issue(CertificateRequest.client(name));
    }

    /** A server that wants its clients' certificates from this authority. */
    public SSLContext serving(TlsIdentity identity) throws PemException {
        ServerTls.Config config =
                ServerTls.Config.requiring(certificates(identity), key(identity), certificates(authority.identity()));
        try (ServerTls tls = new ServerTls(config, ReloadListener.none(), InstantSource.system())) {
            return tls.context();
        }
    }

    /** A client that trusts this authority. */
    public SSLContext clientContext(TlsIdentity identity) throws PemException {
        return clientContext(identity, "");
    }

    public SSLContext clientContext(TlsIdentity identity, String serverName) throws PemException {
        ClientTls.Config config = new ClientTls.Config(
                certificates(authority.identity()),
                certificates(identity),
                key(identity),
                serverName.isEmpty() ? null : serverName);
        try (ClientTls tls = ClientTls.read(config, InstantSource.system())) {
            return tls.context();
        }
    }

    private static PemSource certificates(TlsIdentity identity) {
        return inline(PemText.certificates(List.copyOf(identity.chain())));
    }

    private static PemSource key(TlsIdentity identity) {
        return inline(PemText.privateKey(identity.key()));
    }

    private static PemSource inline(String pem) {
        return PemSource.inline("test", pem.getBytes(StandardCharsets.US_ASCII));
    }
}
