package io.plat.apiserver.resource;

import java.util.ArrayList;
import java.util.List;

/** Names of ports (RFC 6335, section 5.1), and what stands for a port by its number or by its name. */
final class PortNames {
    private static final int LONGEST = 15;

    private PortNames() {}

    /** What is wrong with a name; empty for a valid one. */
    private static List<String> problems(String name) {
        List<String> problems = new ArrayList<>();
        if (name.length() > LONGEST) {
            problems.add("must be no more than " + LONGEST + " characters");
        }
        if (name.isEmpty()
                || !name.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'))) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    /** Checks a name, and returns whether it is one. */
    static boolean check(Field name) {
        List<String> problems = problems(name.text());
        problems.forEach(name::invalid);
        return problems.isEmpty();
    }

    /** Checks a number; one that is not there is 0. */
    static void checkNumber(Field port) {
        int number = port.value().asInt();
        if (number < 1 || number > 65535) {
            port.invalidLiteral(port.value().asText("0"), "must be between 1 and 65535, inclusive");
        }
    }

    /** Checks what is a number or a name; what is not there is neither. */
    static void checkNumberOrName(Field port) {
        if (port.isNumber()) {
            checkNumber(port);
        } else if (port.value().isTextual()) {
            check(port);
        }
    }
}
