package io.plat.review;

import java.util.ArrayList;
import java.util.List;

/** Formats of names (RFC 1123, RFC 1035, or any path segment), with kube-apiserver's messages. */
public enum NameRule {
    SUBDOMAIN(
            253,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com'"),
    LABEL(
            63,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and"
                    + " end with an alphanumeric character (e.g. 'my-name',  or '123-abc'"),
    DNS_1035(
            63,
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123'"),
    LABEL_VALUE(
            63,
            "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345'"),
    CONFIG_KEY(
            253,
            "[-._a-zA-Z0-9]+",
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                    + " 'KEY_NAME',  or 'key-name'"),
    QUALIFIED_PART(
            63,
            "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc'"),
    PATH_SEGMENT(Integer.MAX_VALUE, "", ""),
    ANY(Integer.MAX_VALUE, "", "");

    private final int maxLength;
    private final String regex;
    private final String message;

    /**
     * Creates a rule.
     *
     * @param regex regular expression in messages
     */
    NameRule(int maxLength, String regex, String rule) {
        this.maxLength = maxLength;
        this.regex = regex;
        this.message = rule + ", regex used for validation is '" + regex + "')";
    }

    /** Returns the regular expression in messages. */
    String regex() {
        return regex;
    }

    /** Returns the problems of a name; empty if valid. */
    public List<String> problems(String name) {
        if (this == PATH_SEGMENT) {
            return pathSegment(name);
        }
        return problems(name, this == LABEL_VALUE || this == QUALIFIED_PART ? "bytes" : "characters");
    }

    private List<String> problems(String name, String unit) {
        boolean matches = matches(name);
        if (matches && name.length() <= maxLength) {
            return List.of();
        }
        var problems = new ArrayList<String>();
        if (name.length() > maxLength) {
            problems.add("must be no more than " + maxLength + " " + unit);
        }
        if (!matches) {
            problems.add(this == LABEL && SUBDOMAIN.matches(name) ? "must not contain dots" : message);
        }
        return problems;
    }

    /** Returns whether a name of any length matches the regular expression. */
    private boolean matches(String name) {
        return switch (this) {
            case SUBDOMAIN -> isSubdomain(name);
            case LABEL -> isLabel(name);
            case DNS_1035 -> isDns1035Label(name);
            case LABEL_VALUE -> isLabelValue(name);
            case CONFIG_KEY -> isConfigKey(name);
            case QUALIFIED_PART -> isQualifiedPart(name);
            case PATH_SEGMENT, ANY -> true;
        };
    }

    /** Returns the problems of the prefix of a generated name, which may end with a dash. */
    public List<String> problemsOfPrefix(String prefix) {
        return problems(
                this != PATH_SEGMENT && prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) + "a" : prefix);
    }

    private static List<String> pathSegment(String name) {
        if (name.equals(".") || name.equals("..")) {
            return List.of("may not be '" + name + "'");
        }
        var problems = new ArrayList<String>();
        for (String part : List.of("/", "%")) {
            if (name.contains(part)) {
                problems.add("may not contain '" + part + "'");
            }
        }
        if (name.chars().anyMatch(Character::isISOControl)
                || name.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            problems.add("may not contain control characters");
        }
        return problems;
    }

    /** Returns the problems of a qualified name, {@code name} or {@code prefix/name}, such as a label key or finalizer. */
    public static List<String> qualifiedName(String text) {
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
            return List.of("a valid label key " + QUALIFIED_PART.message
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        var problems = new ArrayList<String>();
        if (slash == 0) {
            problems.add("prefix part must be non-empty");
        } else if (slash > 0) {
            SUBDOMAIN
                    .problems(text.substring(0, slash), "bytes")
                    .forEach(problem -> problems.add("prefix part " + problem));
        }
        String name = text.substring(slash + 1);
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        }
        QUALIFIED_PART.problems(name).forEach(problem -> problems.add("name part " + problem));
        return problems;
    }

    /** Returns whether a name is a DNS label: lower case letters and digits, with dashes in between (RFC 1123, section 2.1). */
    static boolean isLabel(String name) {
        return isLabel(name, 0, name.length());
    }

    /** Returns whether a name is a DNS label that starts with a letter (RFC 1035, section 2.3.1). */
    static boolean isDns1035Label(String name) {
        return isLabel(name) && !isDigit(name.charAt(0));
    }

    /** Returns whether a name is a DNS subdomain. */
    static boolean isSubdomain(String name) {
        int from = 0;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
            if (!isLabel(name, from, dot)) {
                return false;
            }
            from = dot + 1;
        }
        return isLabel(name, from, name.length());
    }

    /** Returns whether a value is empty or a {@link #isQualifiedPart}. */
    static boolean isLabelValue(String name) {
        return name.isEmpty() || isQualifiedPart(name);
    }

    /** Returns whether a name consists of letters and digits, with dashes, underscores and dots in between. */
    static boolean isQualifiedPart(String name) {
        return isConfigKey(name) && isLetterOrDigit(name.charAt(0)) && isLetterOrDigit(name.charAt(name.length() - 1));
    }

    /** Returns whether a name consists of letters, digits, dashes, underscores and dots. */
    static boolean isConfigKey(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetterOrDigit(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isLabel(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean inside = i > from && i < to - 1;
            if (!isLowerCase(c) && !isDigit(c) && !(c == '-' && inside)) {
                return false;
            }
        }
        return from < to;
    }

    private static boolean isLetterOrDigit(char c) {
        return isLowerCase(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isLowerCase(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
