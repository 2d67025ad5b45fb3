package io.plat.tls;

import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;

/** What any connection of this product speaks. */
public final class TlsRules {
    /** The protocol versions, the better first. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private TlsRules() {}

    /** Whether a cipher suite, named as JSSE does, has forward secrecy and authenticated encryption. */
    public static boolean acceptable(String suite) {
        boolean ofTls13 = suite.startsWith("TLS_AES_") || suite.startsWith("TLS_CHACHA20_");
        boolean authenticated = suite.contains("_GCM_") || suite.contains("_CHACHA20_");
        return ofTls13 || (suite.startsWith("TLS_ECDHE_") && authenticated);
    }

    /** Narrows what the JDK would do to these rules. */
    static SSLParameters apply(SSLParameters parameters) {
        parameters.setProtocols(PROTOCOLS.toArray(String[]::new));
        parameters.setCipherSuites(Arrays.stream(parameters.getCipherSuites())
                .filter(TlsRules::acceptable)
                .toArray(String[]::new));
        return parameters;
    }
}
