package io.plat.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;

/**
 * Semantic version without build metadata, which does not affect equality.
 *
 * @param preRelease pre-release identifiers; empty for a release
 */
record Semver(long major, long minor, long patch, List<String> preRelease) implements Comparable<Semver> {
    private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
    private static final String PARTS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
    private static final Pattern FORM =
            Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-(" + PARTS + "))?(?:\\+" + PARTS + ")?");

    /** Up to three numbers, and a suffix. */
    private static final Pattern LOOSE = Pattern.compile("v?([^.+-]*)(?:\\.([^.+-]*))?(?:\\.([^.+-]*))?((?s:[+-].*)?)");

    /** Parses a complete version; empty if malformed. */
    static Optional<Semver> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        List<String> preRelease =
                form.group(4) == null ? List.of() : List.of(form.group(4).split("\\.", -1));
        boolean padded =
                preRelease.stream().anyMatch(part -> part.length() > 1 && part.startsWith("0") && isNumber(part));
        return padded
                ? Optional.empty()
                : Optional.of(new Semver(number(form, 1), number(form, 2), number(form, 3), preRelease));
    }

    private static long number(Matcher form, int group) {
        return Long.parseLong(form.group(group));
    }

    /** Normalizes an abbreviated version: removes a leading {@code v} and leading zeros, and adds missing numbers. */
    static String normalized(String text) {
        Matcher loose = LOOSE.matcher(text);
        if (!loose.matches()) {
            return text.startsWith("v") ? text.substring(1) : text;
        }
        var full = new StringBuilder();
        for (int group = 1; group <= 3; group++) {
            String number = loose.group(group) == null ? "0" : loose.group(group);
            full.append(group == 1 ? "" : ".").append(number.replaceFirst("^0+(?=.)", ""));
        }
        return full.append(loose.group(4)).toString();
    }

    @Override
    public int compareTo(Semver other) {
        int order = Long.compare(major, other.major);
        order = order == 0 ? Long.compare(minor, other.minor) : order;
        order = order == 0 ? Long.compare(patch, other.patch) : order;
        return order == 0 ? comparePreRelease(preRelease, other.preRelease) : order;
    }

    private static int comparePreRelease(List<String> one, List<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = comparePart(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    /** Compares identifiers; numbers precede words. */
    private static int comparePart(String one, String other) {
        if (isNumber(one) && isNumber(other)) {
            int order = Integer.compare(one.length(), other.length());
            return order == 0 ? Integer.signum(one.compareTo(other)) : order;
        }
        return isNumber(one) == isNumber(other)
                ? Integer.signum(one.compareTo(other))
                : Boolean.compare(isNumber(other), isNumber(one));
    }

    private static boolean isNumber(String part) {
        return part.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
