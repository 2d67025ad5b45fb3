package io.plat.engine.rbac.follow;

/**
 * Resource versions. Their meaning is the server's; those of the field are numbers that grow, and where both are, their order shows that
 * a server lost what it had told.
 */
final class Versions {
    private Versions() {}

    /** Whether one is certainly the earlier one. */
    static boolean isBefore(String one, String other) {
        if (!isNumber(one) || !isNumber(other)) {
            return false;
        }
        return one.length() == other.length() ? one.compareTo(other) < 0 : one.length() < other.length();
    }

    private static boolean isNumber(String version) {
        return !version.isEmpty() && version.charAt(0) != '0' && version.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
