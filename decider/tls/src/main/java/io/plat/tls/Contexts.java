package io.plat.tls;

import io.plat.tls.x509.TlsIdentity;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the JDK's contexts of material that no longer changes. */
final class Contexts {
    /** Maximum age of a resumed session, in seconds. */
    private static final int SESSION_SECONDS = 600;

    private Contexts() {}

    static SSLContext of(@Nullable TlsIdentity identity, X509ExtendedTrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new IdentityKeys(identity)}, new TrustManager[] {trust}, null);
            context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has a TLS context", e);
        }
    }
}
