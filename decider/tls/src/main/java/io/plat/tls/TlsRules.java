package io.plat.tls;

import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;

/** Protocol versions and cipher suites of all connections. */
public final class TlsRules {
    /** The protocol versions, in order of preference. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private TlsRules() {}

    /** Returns whether a cipher suite, named as in JSSE, has forward secrecy and authenticated encryption. */
    public static boolean acceptable(String suite) {
        boolean ofTls13 = suite.startsWith("TLS_AES_") || suite.startsWith("TLS_CHACHA20_");
        boolean authenticated = suite.contains("_GCM_") || suite.contains("_CHACHA20_");
        return ofTls13 || (suite.startsWith("TLS_ECDHE_") && authenticated);
    }

    /** Restricts parameters to these rules. */
    static SSLParameters apply(SSLParameters parameters) {
        parameters.setProtocols(PROTOCOLS.toArray(String[]::new));
        parameters.setCipherSuites(Arrays.stream(parameters.getCipherSuites())
                .filter(TlsRules::acceptable)
                .toArray(String[]::new));
        return parameters;
    }
}
