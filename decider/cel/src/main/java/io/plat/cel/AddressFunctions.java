package io.plat.cel;

import com.google.common.net.InetAddresses;
import io.plat.cel.text.IpLiterals;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** IP address and CIDR functions of expressions: {@code cidr(self.range).containsIP(ip(self.address))}. */
final class AddressFunctions extends FunctionLibrary {
    private static final Type<InetAddress> IP = Type.opaque("net.IP", InetAddress.class);
    private static final Type<IpLiterals.Range> CIDR = Type.opaque("net.CIDR", IpLiterals.Range.class);

    AddressFunctions() {
        global("isIP", BOOL, TEXT, text -> IpLiterals.address(text).isPresent());
        global("ip", IP, TEXT, AddressFunctions::address);
        global(
                "ip.isCanonical",
                BOOL,
                TEXT,
                text -> InetAddresses.toAddrString(address(text)).equals(text));
        global("string", TEXT, IP, InetAddresses::toAddrString);
        member("family", INT, IP, one -> one instanceof Inet4Address ? 4L : 6L);
        member("isUnspecified", BOOL, IP, InetAddress::isAnyLocalAddress);
        member("isLoopback", BOOL, IP, InetAddress::isLoopbackAddress);
        member("isLinkLocalUnicast", BOOL, IP, InetAddress::isLinkLocalAddress);
        member("isLinkLocalMulticast", BOOL, IP, InetAddress::isMCLinkLocal);
        member("isGlobalUnicast", BOOL, IP, AddressFunctions::isGlobal);
        global("isCIDR", BOOL, TEXT, text -> IpLiterals.range(text).isPresent());
        global("cidr", CIDR, TEXT, AddressFunctions::range);
        global("string", TEXT, CIDR, one -> InetAddresses.toAddrString(one.address()) + "/" + one.length());
        member("ip", IP, CIDR, IpLiterals.Range::address);
        member("prefixLength", INT, CIDR, one -> (long) one.length());
        member("masked", CIDR, CIDR, AddressFunctions::masked);
        member("containsIP", BOOL, CIDR, IP, IpLiterals.Range::contains);
        member("containsIP", BOOL, CIDR, TEXT, (one, other) -> one.contains(address(other)));
        member("containsCIDR", BOOL, CIDR, CIDR, AddressFunctions::contains);
        member("containsCIDR", BOOL, CIDR, TEXT, (one, other) -> contains(one, range(other)));
    }

    private static InetAddress address(String text) {
        return IpLiterals.address(text).orElseThrow(() -> new IllegalArgumentException("not an IP address"));
    }

    private static IpLiterals.Range range(String text) {
        return IpLiterals.range(text).orElseThrow(() -> new IllegalArgumentException("not a CIDR range"));
    }

    private static Object isGlobal(InetAddress one) {
        boolean broadcast = one instanceof Inet4Address && one.getHostAddress().equals("255.255.255.255");
        return !one.isAnyLocalAddress()
                && !one.isLoopbackAddress()
                && !one.isMulticastAddress()
                && !one.isLinkLocalAddress()
                && !broadcast;
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
