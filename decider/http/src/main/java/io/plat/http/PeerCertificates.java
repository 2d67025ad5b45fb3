package io.plat.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The certificates that a client presented in the handshake, and a value that an application derives from them once per connection. */
public final class PeerCertificates {
    private PeerCertificates() {}

    /** The client's chain, its own certificate first; empty where it presented none. */
    public static List<X509Certificate> of(Request request) {
        EndPoint.@Nullable SslSessionData session =
                request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
        X509Certificate @Nullable [] chain = session == null ? null : session.peerCertificates();
        return chain == null ? List.of() : List.of(chain);
    }

    /**
     * Returns a value derived from the client's chain, computed at a connection's first request and cached for its lifetime.
     *
     * @param attribute the connection's attribute for the value
     * @param type the value's type
     * @param derive computes the value; a connection may have several concurrent requests, so that it may be called more than once
     */
    public static <T> T derived(
            Request request, String attribute, Class<T> type, Function<List<X509Certificate>, T> derive) {
        ConnectionMetaData connection = request.getConnectionMetaData();
        @Nullable Object kept = connection.getAttribute(attribute);
        if (kept != null) {
            return type.cast(kept);
        }
        T value = derive.apply(of(request));
        connection.setAttribute(attribute, value);
        return value;
    }
}
