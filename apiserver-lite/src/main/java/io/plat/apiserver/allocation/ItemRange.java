package io.plat.apiserver.allocation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.cel.text.IpLiterals;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A range of IPv4 addresses, such as {@code 10.0.0.0/24}, or of ports, such as {@code 30000-32767}. The first and the last address of a
 * range are the network and broadcast addresses, which are never allocated.
 */
public record ItemRange(boolean addresses, long first, long size, String text) {
    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
    private static final int MIN_PREFIX_LENGTH = 8;
    private static final int MAX_PREFIX_LENGTH = 30;
    private static final int MAX_PORTS = 65_535;

    /**
     * Reads a range of addresses with {@value #MIN_PREFIX_LENGTH} to {@value #MAX_PREFIX_LENGTH} fixed bits; empty if the text is
     * malformed.
     */
    public static Optional<ItemRange> addresses(String range) {
        long address = number(range.substring(0, Math.max(0, range.indexOf('/'))));
        return IpLiterals.range(range)
                .map(IpLiterals.Range::length)
                .filter(prefix -> address >= 0 && prefix >= MIN_PREFIX_LENGTH && prefix <= MAX_PREFIX_LENGTH)
                .map(prefix -> {
                    long network = address & (-1L << (32 - prefix));
                    return new ItemRange(true, network + 1, (1L << (32 - prefix)) - 2, text(network) + "/" + prefix);
                });
    }

    /** Reads a range of ports; empty if the text is malformed. */
    public static Optional<ItemRange> ports(String range) {
        Matcher ends = PORTS.matcher(range);
        if (!ends.matches()) {
            return Optional.empty();
        }
        int first = Integer.parseInt(ends.group(1));
        int last = Integer.parseInt(ends.group(2));
        return first >= 1 && last >= first && last <= MAX_PORTS
                ? Optional.of(new ItemRange(false, first, last - first + 1L, first + "-" + last))
                : Optional.empty();
    }

    /**
     * Returns an item.
     *
     * @param position position from 0 to {@link #size()} - 1
     */
    public String at(long position) {
        return addresses ? text(first + position) : Long.toString(first + position);
    }

    public boolean contains(String item) {
        long number = addresses ? number(item) : item.matches("\\d{1,5}") ? Integer.parseInt(item) : -1;
        return number >= first && number < first + size;
    }

    /**
     * Returns the number of items at the beginning that are allocated last, since users request those explicitly: a sixteenth of the range,
     * capped; none in small ranges.
     */
    long reserved() {
        return size <= 16 ? 0 : Math.min(Math.max(16, size / 16), addresses ? 256 : 128);
    }

    /** Returns the number of an IPv4 address; negative for any other text. */
    private static long number(String address) {
        return IpLiterals.address(address)
                .filter(parsed -> address.indexOf(':') < 0)
                .map(parsed -> Integer.toUnsignedLong(
                        ByteBuffer.wrap(parsed.getAddress()).getInt()))
                .orElse(-1L);
    }

    private static String text(long address) {
        return (address >> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    @Override
    public String toString() {
        return text;
    }
}
