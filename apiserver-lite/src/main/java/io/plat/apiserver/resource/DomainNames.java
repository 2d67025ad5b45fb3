package io.plat.apiserver.resource;

import java.util.List;

/** Names of domains that say all of where they stand, down to the root: of so many parts at least. */
final class DomainNames {
    private static final List<String> COUNTS = List.of("no", "one", "two", "three");

    private DomainNames() {}

    /**
     * Checks a name.
     *
     * @param least how many parts it has at least; up to three
     */
    static void check(String field, String name, int least, Causes causes) {
        if (name.isEmpty()) {
            causes.required(field, "");
            return;
        }
        String relative = least < 3 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        List<String> problems = NameRule.SUBDOMAIN.problems(relative);
        problems.forEach(why -> causes.invalid(field, name, why));
        if (problems.isEmpty() && relative.split("\\.", -1).length < least) {
            causes.invalid(
                    field,
                    name,
                    "should be a domain with at least " + COUNTS.get(least) + " segments separated by dots");
        }
    }
}
