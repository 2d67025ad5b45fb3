package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Names of ports (RFC 6335, section 5.1), and what stands for a port by its number or by its name. */
final class PortNames {
    private static final int LONGEST = 15;

    private PortNames() {}

    /** What is wrong with a name; empty for a valid one. */
    static List<String> problems(String name) {
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

    /** Checks a name; says whether it is one. */
    static boolean check(String field, String name, Causes causes) {
        List<String> problems = problems(name);
        problems.forEach(why -> causes.invalid(field, name, why));
        return problems.isEmpty();
    }

    /** Checks what is a number or a name; what is not there is neither. */
    static void checkNumberOrName(String field, JsonNode port, Causes causes) {
        if (port.isNumber()) {
            ServiceRules.checkPort(field, port, causes);
        } else if (port.isTextual()) {
            check(field, port.asText(), causes);
        }
    }
}
