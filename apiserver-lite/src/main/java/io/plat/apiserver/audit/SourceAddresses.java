package io.plat.apiserver.audit;

import com.google.common.net.InetAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Source addresses of a request: those that proxies report, which can be forged, and the peer, which cannot. */
public final class SourceAddresses {
    private static final int MAX_ADDRESSES = 32;

    private static final int MAX_LENGTH = 45;

    private SourceAddresses() {}

    /**
     * Returns all source addresses.
     *
     * @param forwardedFor the header field {@code X-Forwarded-For}, or {@code ""}
     * @param realIp the header field {@code X-Real-Ip}, or {@code ""}
     * @param peer address of the peer, or {@code ""}
     */
    public static List<String> of(String forwardedFor, String realIp, String peer) {
        List<String> sources = new ArrayList<>(1);
        if (!forwardedFor.isEmpty()) {
            for (String part : forwardedFor.split(",", MAX_ADDRESSES)) {
                address(part.strip()).ifPresent(sources::add);
            }
        }
        address(realIp.strip()).filter(address -> !sources.contains(address)).ifPresent(sources::add);
        address(peer)
                .filter(address -> sources.isEmpty() || !sources.getLast().equals(address))
                .ifPresent(sources::add);
        return sources;
    }

    /** Returns an address in canonical form (RFC 5952, section 4); empty for anything else, including scoped addresses. */
    private static Optional<String> address(String text) {
        boolean literal = text.length() <= MAX_LENGTH && text.indexOf('%') < 0 && InetAddresses.isInetAddress(text);
        return literal ? Optional.of(InetAddresses.toAddrString(InetAddresses.forString(text))) : Optional.empty();
    }
}
