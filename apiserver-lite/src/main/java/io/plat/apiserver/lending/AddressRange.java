package io.plat.apiserver.lending;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of IPv4 addresses, such as {@code 10.0.0.0/24}. Its first and its last address name the network and everybody in it, and are
 * not lent.
 */
public final class AddressRange implements Supply {
    private static final Pattern ADDRESS =
            Pattern.compile("(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})");
    private static final int WIDEST = 8;
    private static final int NARROWEST = 30;
    private static final long MOST_KEPT_BACK = 256;

    private final long first;
    private final long size;
    private final String text;

    private AddressRange(long network, int prefix) {
        this.first = network + 1;
        this.size = (1L << (32 - prefix)) - 2;
        this.text = text(network) + "/" + prefix;
    }

    /** Reads a range of {@value #WIDEST} to {@value #NARROWEST} fixed bits; empty if the text is none. */
    public static Optional<AddressRange> parse(String range) {
        int slash = range.indexOf('/');
        if (slash < 0 || !range.substring(slash + 1).matches("\\d{1,2}")) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(range.substring(slash + 1));
        long address = number(range.substring(0, slash));
        if (address < 0 || prefix < WIDEST || prefix > NARROWEST) {
            return Optional.empty();
        }
        return Optional.of(new AddressRange(address & (-1L << (32 - prefix)), prefix));
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public String at(long place) {
        return text(first + place);
    }

    @Override
    public boolean contains(String item) {
        long address = number(item);
        return address >= first && address < first + size;
    }

    @Override
    public long keptBack() {
        return Supply.keptBack(size, MOST_KEPT_BACK);
    }

    /** The address as a number; negative if the text is none. */
    private static long number(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            return -1;
        }
        long number = 0;
        for (int i = 1; i <= 4; i++) {
            int part = Integer.parseInt(parts.group(i));
            if (part > 255) {
                return -1;
            }
            number = number << 8 | part;
        }
        return number;
    }

    private static String text(long address) {
        return (address >> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    /** As it is written. */
    @Override
    public String toString() {
        return text;
    }
}
