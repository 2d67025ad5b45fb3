package io.plat.apiserver.resource;

import java.util.List;

/** Fully qualified domain names, of so many parts at least. */
final class DomainNames {
    private static final List<String> COUNTS = List.of("no", "one", "two", "three");

    private DomainNames() {}

    /**
     * Checks a name.
     *
     * @param least how many parts it has at least; up to three
     */
    static void check(Field field, int least) {
        if (!field.require("")) {
            return;
        }
        String name = field.text();
        String relative = least < 3 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        List<String> problems = NameRule.SUBDOMAIN.problems(relative);
        problems.forEach(field::invalid);
        if (problems.isEmpty() && relative.split("\\.", -1).length < least) {
            field.invalid("should be a domain with at least " + COUNTS.get(least) + " segments separated by dots");
        }
    }
}
