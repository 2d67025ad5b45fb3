package io.plat.tls.x509;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** Syntax of addresses and host names. Nothing is ever resolved. */
public final class HostSyntax {
    private static final Pattern DOTTED = Pattern.compile("[0-9.]+");
    private static final Pattern QUAD = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?");
    private static final int MAX_NAME = 253;

    private HostSyntax() {}

    /** Returns whether the text can only be an address: it has a colon, or nothing but digits and dots. */
    public static boolean looksLikeAddress(String text) {
        return text.contains(":") || DOTTED.matcher(text).matches();
    }

    /** The address that the text spells (dotted quad, or IPv6 without a scope); empty for anything else. */
    public static Optional<InetAddress> address(String text) {
        boolean spelled = QUAD.matcher(text).matches() || (text.contains(":") && !text.contains("%"));
        if (!spelled) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** Returns whether the text is a host name, possibly with {@code *} as its whole first label. */
    public static boolean isName(String text) {
        String name = text.startsWith("*.") ? text.substring(2) : text;
        if (text.length() > MAX_NAME || looksLikeAddress(text)) {
            return false;
        }
        for (String label : name.split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                return false;
            }
        }
        return true;
    }
}
