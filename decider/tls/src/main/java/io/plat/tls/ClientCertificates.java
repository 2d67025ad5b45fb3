package io.plat.tls;

import javax.net.ssl.SSLParameters;

/** Requirements for client certificates. */
public enum ClientCertificates {
    /** The handshake requires a certificate that the server's bundle verifies. */
    REQUIRED,
    /**
     * A certificate is requested and the handshake accepts any client; the application verifies the certificate. No authorities are suggested to
     * the client: one that has only a foreign certificate should send it and receive an error, instead of being anonymous.
     */
    REQUESTED;

    void apply(SSLParameters parameters) {
        switch (this) {
            case REQUIRED -> parameters.setNeedClientAuth(true);
            case REQUESTED -> parameters.setWantClientAuth(true);
        }
    }
}
