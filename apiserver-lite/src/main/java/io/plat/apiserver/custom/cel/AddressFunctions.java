package io.plat.apiserver.custom.cel;

import com.google.common.net.InetAddresses;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.rules.IpLiterals;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses and ranges of them in rules, as existing servers have them: {@code cidr(self.range).containsIP(ip(self.address))}. */
final class AddressFunctions extends FieldLibrary {
    private static final CelType IP = OpaqueType.create("net.IP");
    private static final CelType CIDR = OpaqueType.create("net.CIDR");
    private static final Class<String> TEXT = String.class;

    /** Behind what it is made of. */
    static final AddressFunctions INSTANCE = new AddressFunctions();

    private AddressFunctions() {
        function(
                "isIP",
                false,
                SimpleType.BOOL,
                SimpleType.STRING,
                TEXT,
                text -> IpLiterals.address(text).isPresent());
        function("ip", false, IP, SimpleType.STRING, TEXT, AddressFunctions::address);
        function(
                "ip.isCanonical",
                false,
                SimpleType.BOOL,
                SimpleType.STRING,
                TEXT,
                text -> InetAddresses.toAddrString(address(text)).equals(text));
        function("string", false, SimpleType.STRING, IP, InetAddress.class, InetAddresses::toAddrString);
        function("family", true, SimpleType.INT, IP, InetAddress.class, one -> one instanceof Inet4Address ? 4L : 6L);
        function("isUnspecified", true, SimpleType.BOOL, IP, InetAddress.class, InetAddress::isAnyLocalAddress);
        function("isLoopback", true, SimpleType.BOOL, IP, InetAddress.class, InetAddress::isLoopbackAddress);
        function("isLinkLocalUnicast", true, SimpleType.BOOL, IP, InetAddress.class, InetAddress::isLinkLocalAddress);
        function("isLinkLocalMulticast", true, SimpleType.BOOL, IP, InetAddress.class, InetAddress::isMCLinkLocal);
        function("isGlobalUnicast", true, SimpleType.BOOL, IP, InetAddress.class, AddressFunctions::isGlobal);
        function(
                "isCIDR",
                false,
                SimpleType.BOOL,
                SimpleType.STRING,
                TEXT,
                text -> IpLiterals.range(text).isPresent());
        function(
                "string",
                false,
                SimpleType.STRING,
                CIDR,
                IpLiterals.Range.class,
                one -> InetAddresses.toAddrString(one.address()) + "/" + one.length());
        function("cidr", false, CIDR, SimpleType.STRING, TEXT, AddressFunctions::range);
        function("ip", true, IP, CIDR, IpLiterals.Range.class, IpLiterals.Range::address);
        function("prefixLength", true, SimpleType.INT, CIDR, IpLiterals.Range.class, one -> (long) one.length());
        function("masked", true, CIDR, CIDR, IpLiterals.Range.class, AddressFunctions::masked);
        member(
                "containsIP",
                SimpleType.BOOL,
                CIDR,
                IpLiterals.Range.class,
                IP,
                InetAddress.class,
                (one, other) -> one.contains(other));
        member(
                "containsIP",
                SimpleType.BOOL,
                CIDR,
                IpLiterals.Range.class,
                SimpleType.STRING,
                TEXT,
                (one, other) -> one.contains(address(other)));
        member(
                "containsCIDR",
                SimpleType.BOOL,
                CIDR,
                IpLiterals.Range.class,
                CIDR,
                IpLiterals.Range.class,
                (a, b) -> contains(a, b));
        member(
                "containsCIDR",
                SimpleType.BOOL,
                CIDR,
                IpLiterals.Range.class,
                SimpleType.STRING,
                TEXT,
                (a, b) -> contains(a, range(b)));
    }

    private static InetAddress address(String text) {
        return IpLiterals.address(text).orElseThrow(() -> new IllegalArgumentException("not an IP address"));
    }

    private static IpLiterals.Range range(String text) {
        return IpLiterals.range(text).orElseThrow(() -> new IllegalArgumentException("not a CIDR range"));
    }

    private static Object isGlobal(InetAddress one) {
        boolean everybody = one instanceof Inet4Address && one.getHostAddress().equals("255.255.255.255");
        return !one.isAnyLocalAddress()
                && !one.isLoopbackAddress()
                && !one.isMulticastAddress()
                && !one.isLinkLocalAddress()
                && !everybody;
    }

    private static boolean contains(IpLiterals.Range one, IpLiterals.Range other) {
        return one.length() <= other.length() && one.contains(other.address());
    }

    private static Object masked(IpLiterals.Range one) {
        byte[] bytes = one.address().getAddress();
        for (int bit = one.length(); bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        try {
            return new IpLiterals.Range(InetAddress.getByAddress(bytes), one.length());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of as many bytes as another one", e);
        }
    }
}
