package io.plat.cli.policytest;

import io.plat.review.Attributes;
import io.plat.review.source.Location;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A test of a policy: one document of a file.
 *
 * @param name the file, as it was named
 * @param policies the files and folders that make the policy
 * @param declared names that it knows besides those of the policy
 * @param cases in their order
 */
record TestFile(String name, List<Path> policies, Declared declared, List<Case> cases) {
    TestFile {
        policies = List.copyOf(policies);
        cases = List.copyOf(cases);
    }

    /** The names under {@code users}, {@code namespaces} and {@code resources}. */
    record Declared(Set<String> users, Set<String> namespaces, Set<String> resources) {
        Declared {
            users = Set.copyOf(users);
            namespaces = Set.copyOf(namespaces);
            resources = Set.copyOf(resources);
        }
    }

    /**
     * Expected decision of one request.
     *
     * @param allowed whether it is to be allowed
     * @param reason expected part of the decision's reason, {@code ""} for any
     */
    record Case(String name, Location where, Attributes asked, boolean allowed, String reason) {}
}
