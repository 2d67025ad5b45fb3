package io.plat.tls;

import javax.net.ssl.SSLParameters;

/** What a server does about its clients' certificates. */
public enum ClientCertificates {
    /** Nobody gets past the handshake without a certificate that the server's bundle vouches for. */
    REQUIRED,
    /**
     * Clients are asked for one and everyone gets past the handshake; the application judges what it gets. No authorities are
     * suggested to the client: one that has only a foreign certificate shall show it and be told, not be taken for nobody.
     */
    REQUESTED;

    void apply(SSLParameters parameters) {
        switch (this) {
            case REQUIRED -> parameters.setNeedClientAuth(true);
            case REQUESTED -> parameters.setWantClientAuth(true);
        }
    }
}
