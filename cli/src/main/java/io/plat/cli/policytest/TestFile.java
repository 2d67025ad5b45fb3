package io.plat.cli.policytest;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A test of a policy: one document of a file.
 *
 * @param name the file, as it was named
 * @param policies the files and folders that make the policy
 * @param cases in their order
 */
record TestFile(String name, List<Path> policies, List<PolicyCase> cases) {
    TestFile {
        Objects.requireNonNull(name);
        policies = List.copyOf(policies);
        cases = List.copyOf(cases);
    }
}
