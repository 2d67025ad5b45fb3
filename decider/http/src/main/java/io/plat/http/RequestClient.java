package io.plat.http;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Returns the name by which a request's client shares limits: its user, else the subject of its certificate, else its address. */
public final class RequestClient {
    private static final String ATTRIBUTE = RequestClient.class.getName();

    private static final int GROUPS_OF_A_NETWORK = 4;

    private RequestClient() {}

    /** Names the client of a request, once it is known. */
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

    /** The address of a request's client; empty where that is not known. */
    public static String address(Request request) {
        @Nullable Object remote = request.getConnectionMetaData().getRemoteSocketAddress();
        return remote instanceof InetSocketAddress address && address.getAddress() != null
                ? address.getAddress().getHostAddress()
                : "";
    }

    /** Returns the address range that one client can choose from: of IPv6, the network of 64 bits. */
    public static String network(String address) {
        int end = -1;
        for (int group = 0; group < GROUPS_OF_A_NETWORK && address.indexOf(':') >= 0; group++) {
            end = address.indexOf(':', end + 1);
        }
        return end < 0 ? address : address.substring(0, end);
    }
}
