package io.plat.cel.text;

import com.google.common.net.InetAddresses;
import com.google.re2j.Pattern;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Parser of IP addresses and CIDRs in Kubernetes' syntax (RFC 4632, RFC 4291): four decimal numbers, or an IPv6 address without a zone
 * and without an embedded IPv4 address. No name is looked up.
 */
public final class IpLiterals {
    /** Problem of a malformed address, as kube-apiserver reports it. */
    public static final String MALFORMED = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

    private static final String NUMBER = "(0|[1-9][0-9]{0,2})";
    private static final Pattern ADDRESS =
            Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*");
    private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

    private IpLiterals() {}

    /**
     * CIDR.
     *
     * @param length prefix length in bits
     */
    public record Range(InetAddress address, int length) {
        public boolean contains(InetAddress other) {
            byte[] own = address.getAddress();
            byte[] others = other.getAddress();
            if (own.length != others.length) {
                return false;
            }
            for (int bit = 0; bit < length; bit++) {
                int mask = 0x80 >> (bit % 8);
                if (((own[bit / 8] ^ others[bit / 8]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }

        /** Returns whether no bit beyond the prefix is set. */
        public boolean isNetwork() {
            byte[] bits = address.getAddress();
            return new BigInteger(1, bits)
                            .mod(BigInteger.TWO.pow(8 * bits.length - length))
                            .signum()
                    == 0;
        }
    }

    /** Parses an address; empty if malformed. */
    public static Optional<InetAddress> address(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the problem of an address that has to be in canonical form (RFC 5952, section 4). */
    public static Optional<String> problem(String text) {
        String canonical = address(text).map(InetAddresses::toAddrString).orElse("");
        if (canonical.isEmpty()) {
            return Optional.of(MALFORMED);
        }
        return canonical.equals(text)
                ? Optional.empty()
                : Optional.of("must be in canonical form (\"" + canonical + "\")");
    }

    /** Returns whether there are exactly two addresses or CIDRs, one of each IP family. */
    public static boolean areOfBothFamilies(List<String> literals) {
        return literals.size() == 2
                && (literals.getFirst().indexOf(':') < 0) != (literals.getLast().indexOf(':') < 0);
    }

    /** Parses a CIDR, {@code ADDRESS/LENGTH}; empty if malformed. */
    public static Optional<Range> range(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !LENGTH.matcher(text.substring(slash + 1)).matches()) {
            return Optional.empty();
        }
        int length = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(address -> length <= 8 * address.getAddress().length)
                .map(address -> new Range(address, length));
    }
}
