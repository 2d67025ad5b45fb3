package io.plat.apiserver.audit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The addresses that a request came by: what proxies say, which anybody can, and the peer, which nobody can feign. */
public final class SourceAddresses {
    private static final int MOST = 32;

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private SourceAddresses() {}

    /**
     * All of them.
     *
     * @param forwardedFor the header field {@code X-Forwarded-For}, or {@code ""}
     * @param realIp the header field {@code X-Real-Ip}, or {@code ""}
     * @param peer the address of who is connected, or {@code ""}
     */
    public static List<String> of(String forwardedFor, String realIp, String peer) {
        List<String> sources = new ArrayList<>(1);
        if (!forwardedFor.isEmpty()) {
            for (String part : forwardedFor.split(",", MOST)) {
                address(part.strip()).ifPresent(sources::add);
            }
        }
        address(realIp.strip()).filter(address -> !sources.contains(address)).ifPresent(sources::add);
        address(peer)
                .filter(address -> sources.isEmpty() || !sources.getLast().equals(address))
                .ifPresent(sources::add);
        return sources;
    }

    private static Optional<String> address(String text) {
        boolean literal = text.length() <= 45
                && (text.indexOf(':') >= 0
                        ? text.indexOf('%') < 0
                        : IPV4.matcher(text).matches());
        if (!literal) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            return Optional.of(
                    address instanceof Inet6Address long6 ? shortest(long6.getAddress()) : address.getHostAddress());
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** RFC 5952, section 4: the longest run of zeros, of two or more, is left out. */
    private static String shortest(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int start = 8;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(i > 0 && text.charAt(text.length() - 1) != ':' ? ":" : "")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
