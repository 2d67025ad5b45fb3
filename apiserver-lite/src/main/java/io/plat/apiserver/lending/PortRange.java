package io.plat.apiserver.lending;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of ports, such as {@code 30000-32767}.
 *
 * @param first the first port
 * @param last the last one
 */
public record PortRange(int first, int last) implements Supply {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
    private static final long MOST_KEPT_BACK = 128;

    public PortRange {
        if (!isRange(first, last)) {
            throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
        }
    }

    /** Reads a range; empty if the text is none. */
    public static Optional<PortRange> parse(String range) {
        Matcher ends = RANGE.matcher(range);
        if (!ends.matches()) {
            return Optional.empty();
        }
        int first = Integer.parseInt(ends.group(1));
        int last = Integer.parseInt(ends.group(2));
        return isRange(first, last) ? Optional.of(new PortRange(first, last)) : Optional.empty();
    }

    private static boolean isRange(int first, int last) {
        return first >= 1 && last >= first && last <= 65535;
    }

    @Override
    public long size() {
        return (long) last - first + 1;
    }

    @Override
    public String at(long place) {
        return Long.toString(first + place);
    }

    @Override
    public boolean contains(String item) {
        return item.matches("\\d{1,5}") && Integer.parseInt(item) >= first && Integer.parseInt(item) <= last;
    }

    @Override
    public long keptBack() {
        return Supply.keptBack(size(), MOST_KEPT_BACK);
    }

    /** As it is written. */
    @Override
    public String toString() {
        return first + "-" + last;
    }
}
