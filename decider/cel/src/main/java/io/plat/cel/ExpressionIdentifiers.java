package io.plat.cel;

import com.google.re2j.Pattern;
import java.util.Set;

/** Identifiers in expressions: reserved words (CEL, section "Syntax"), and escaped field names. */
public final class ExpressionIdentifiers {
    private static final Set<String> RESERVED =
            Set.of(("true false null in as break const continue else for function if"
                            + " import let loop package namespace return var void while")
                    .split(" ", -1));

    private static final Pattern ESCAPABLE = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_./-]*");

    private ExpressionIdentifiers() {}

    /** Returns whether a name is an identifier in expressions: letters, digits and {@code _}, no leading digit, and not reserved. */
    public static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return !name.isEmpty() && !RESERVED.contains(name);
    }

    /** Returns the escaped name of a field; {@code ""} if expressions cannot refer to it. */
    public static String escaped(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        if (isIdentifier(name) && !name.contains("__")) {
            return name;
        }
        return ESCAPABLE.matcher(name).matches()
                ? name.replace("__", "__underscores__")
                        .replace(".", "__dot__")
                        .replace("-", "__dash__")
                        .replace("/", "__slash__")
                : "";
    }
}
