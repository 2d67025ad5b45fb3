package io.plat.tls;

import io.plat.tls.x509.TlsIdentity;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Factory of JDK contexts with fixed keys and certificates. */
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

    /**
     * Key manager of one identity.
     *
     * <p>A client sends it to any server that requests one, regardless of the authorities that the server suggests: the JDK's own managers would send
     * none, and the user would see a missing credential instead of the problem with the certificate.
     */
    @SuppressWarnings("NullAway") // JSSE expects null for "none", although its types do not declare it.
    private static final class IdentityKeys extends X509ExtendedKeyManager {
        private static final String ALIAS = "identity";

        private final @Nullable TlsIdentity identity;

        IdentityKeys(@Nullable TlsIdentity identity) {
            this.identity = identity;
        }

        private @Nullable String alias(String... keyTypes) {
            return identity != null
                            && Arrays.asList(keyTypes).contains(identity.key().getAlgorithm())
                    ? ALIAS
                    : null;
        }

        private String @Nullable [] aliases(String keyType) {
            return alias(keyType) == null ? null : new String[] {ALIAS};
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return aliases(keyType);
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return alias(keyTypes);
        }

        @Override
        public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
            return alias(keyTypes);
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return aliases(keyType);
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return alias(keyType);
        }

        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            return alias(keyType);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return identity != null && ALIAS.equals(alias) ? identity.chain().toArray(X509Certificate[]::new) : null;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identity != null && ALIAS.equals(alias) ? identity.key() : null;
        }
    }
}
