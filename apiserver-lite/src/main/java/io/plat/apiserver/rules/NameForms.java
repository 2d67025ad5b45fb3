package io.plat.apiserver.rules;

/** Formats of names, checked character by character, as every written object has several. */
final class NameForms {
    private NameForms() {}

    /** Returns whether a name is a DNS label: lower case letters and digits, with dashes in between (RFC 1123, section 2.1). */
    static boolean label(String name) {
        return label(name, 0, name.length());
    }

    /** Returns whether a name is a DNS label that starts with a letter (RFC 1035, section 2.3.1). */
    static boolean labelOfLetter(String name) {
        return label(name) && !digit(name.charAt(0));
    }

    /** Returns whether a name is a DNS subdomain. */
    static boolean subdomain(String name) {
        int from = 0;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
            if (!label(name, from, dot)) {
                return false;
            }
            from = dot + 1;
        }
        return label(name, from, name.length());
    }

    /** Returns whether a value is empty or a {@link #qualifiedPart}. */
    static boolean labelValue(String name) {
        return name.isEmpty() || qualifiedPart(name);
    }

    /** Returns whether a name consists of letters and digits, with dashes, underscores and dots in between. */
    static boolean qualifiedPart(String name) {
        return configKey(name) && letterOrDigit(name.charAt(0)) && letterOrDigit(name.charAt(name.length() - 1));
    }

    /** Returns whether a name consists of letters, digits, dashes, underscores and dots. */
    static boolean configKey(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!letterOrDigit(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean label(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean inside = i > from && i < to - 1;
            if (!lower(c) && !digit(c) && !(c == '-' && inside)) {
                return false;
            }
        }
        return from < to;
    }

    private static boolean letterOrDigit(char c) {
        return lower(c) || digit(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean lower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
