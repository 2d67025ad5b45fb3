package io.plat.apiserver.request;

import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.selector.Selection;
import io.plat.review.SelectorAttributes.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of field and label selectors in queries, into requirements that must all hold. */
public final class Selectors {
    private static final String NAME_FIELD = "metadata.name";

    private Selectors() {}

    /**
     * Parses a field selector: terms {@code field=value}, {@code field==value} or {@code field!=value}, separated by commas; in a value a
     * backslash escapes a comma, an equals sign or a backslash.
     *
     * @return the requirements, each {@code In} or {@code NotIn} one value; empty if the selector is malformed
     */
    public static Optional<List<Requirement>> parseFields(String selector) {
        if (selector.length() > Selection.MAX_LENGTH) {
            return Optional.empty();
        }
        List<Requirement> requirements = new ArrayList<>();
        for (String term : splitTerms(selector)) {
            if (term.isEmpty()) {
                continue;
            }
            Optional<Requirement> requirement = fieldTerm(term);
            if (requirement.isEmpty()) {
                return Optional.empty();
            }
            requirements.add(requirement.get());
        }
        return Optional.of(requirements);
    }

    /**
     * Parses a label selector ({@code a=b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a}).
     *
     * @return the requirements; empty if the selector is malformed, or compares numbers, which requirements do not support
     */
    public static Optional<List<Requirement>> parseLabels(String selector) {
        return selector.length() > Selection.MAX_LENGTH ? Optional.empty() : LabelSelector.requirements(selector);
    }

    /** Returns the name that the requirements demand, if it is a valid path segment. */
    static Optional<String> requiredName(List<Requirement> requirements) {
        return requirements.stream()
                .filter(requirement -> requirement.key().equals(NAME_FIELD)
                        && requirement.operator().equals("In"))
                .map(requirement -> requirement.values().getFirst())
                .findFirst()
                .filter(Selectors::isSegment);
    }

    private static boolean isSegment(String name) {
        return !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0 && name.indexOf('%') < 0;
    }

    /** Splits at unescaped commas; escapes are preserved. */
    private static List<String> splitTerms(String selector) {
        List<String> terms = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < selector.length(); i++) {
            if (selector.charAt(i) == '\\') {
                i++;
            } else if (selector.charAt(i) == ',') {
                terms.add(selector.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(selector.substring(start));
        return terms;
    }

    private static Optional<Requirement> fieldTerm(String term) {
        int equals = term.indexOf('=');
        if (equals < 0) {
            return Optional.empty();
        }
        boolean negated = equals > 0 && term.charAt(equals - 1) == '!';
        String field = term.substring(0, negated ? equals - 1 : equals);
        int valueStart = !negated && term.startsWith("=", equals + 1) ? equals + 2 : equals + 1;
        return unescape(term.substring(valueStart))
                .map(value -> new Requirement(field, negated ? "NotIn" : "In", List.of(value)));
    }

    /** Returns the value without escapes; empty for an unknown escape or an unescaped equals sign. */
    private static Optional<String> unescape(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '=' || c == ',') {
                return Optional.empty();
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    return Optional.empty();
                }
                c = value.charAt(i);
            }
            plain.append(c);
        }
        return Optional.of(plain.toString());
    }
}
