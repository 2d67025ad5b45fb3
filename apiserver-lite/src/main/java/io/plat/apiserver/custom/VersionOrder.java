package io.plat.apiserver.custom;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Order of a group's versions: stable ones before beta before alpha, each from the newest, followed by all other names. */
final class VersionOrder {
    /** Descending order of clients' preference. */
    static final Comparator<String> PREFERRED_FIRST = Comparator.comparing(VersionOrder::rank);

    private static final Pattern KNOWN = Pattern.compile("v([0-9]{1,18})(?:(alpha|beta)([0-9]{1,18}))?");

    private VersionOrder() {}

    private static Rank rank(String version) {
        Matcher matcher = KNOWN.matcher(version);
        if (!matcher.matches()) {
            return new Rank(3, 0, 0, version);
        }
        String stage = matcher.group(2);
        int order = stage == null ? 0 : stage.equals("beta") ? 1 : 2;
        long minor = stage == null ? 0 : Long.parseLong(matcher.group(3));
        return new Rank(order, -Long.parseLong(matcher.group(1)), -minor, version);
    }

    private record Rank(int stage, long major, long minor, String name) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            return Comparator.comparingInt(Rank::stage)
                    .thenComparingLong(Rank::major)
                    .thenComparingLong(Rank::minor)
                    .thenComparing(Rank::name)
                    .compare(this, other);
        }
    }
}
