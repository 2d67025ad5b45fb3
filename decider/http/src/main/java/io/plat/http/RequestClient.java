package io.plat.http;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The client of a request, as counted by limits: its user, else the subject of its certificate, else its address. */
public final class RequestClient {
    private static final String ATTRIBUTE = RequestClient.class.getName();

    private static final int GROUPS_OF_A_NETWORK = 4;

    private RequestClient() {}

    /** Sets the client of a request, once it is known. */
    public static void is(Request request, String client) {
        request.setAttribute(ATTRIBUTE, Objects.requireNonNull(client));
    }

    public static String of(Request request) {
        return request.getAttribute(ATTRIBUTE) instanceof String known
                ? known
                : PeerCertificates.derived(
                        request,
                        ATTRIBUTE,
                        String.class,
                        chain -> chain.isEmpty()
                                ? network(address(request))
                                : chain.getFirst().getSubjectX500Principal().getName());
    }

    /** Returns the address of a request's client; empty if unknown. */
    public static String address(Request request) {
        @Nullable Object remote = request.getConnectionMetaData().getRemoteSocketAddress();
        return remote instanceof InetSocketAddress address && address.getAddress() != null
                ? address.getAddress().getHostAddress()
                : "";
    }

    /** Returns the address range of a client: for IPv6, the /64 network. */
    public static String network(String address) {
        int end = -1;
        for (int group = 0; group < GROUPS_OF_A_NETWORK && address.indexOf(':') >= 0; group++) {
            end = address.indexOf(':', end + 1);
        }
        return end < 0 ? address : address.substring(0, end);
    }

    /** Certificates that a client presented in the handshake, and values derived from them once per connection. */
    public static final class PeerCertificates {
        private PeerCertificates() {}

        /** Returns the client's chain, leaf first; empty if it presented none. */
        public static List<X509Certificate> of(Request request) {
            EndPoint.@Nullable SslSessionData session = request.getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .getSslSessionData();
            X509Certificate @Nullable [] chain = session == null ? null : session.peerCertificates();
            return chain == null ? List.of() : List.of(chain);
        }

        /**
         * Returns a value derived from the client's chain, computed at a connection's first request and cached for its lifetime.
         *
         * @param attribute the connection's attribute for the value
         * @param type the value's type
         * @param derive computes the value; may be called concurrently, by several requests of a connection
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
}
