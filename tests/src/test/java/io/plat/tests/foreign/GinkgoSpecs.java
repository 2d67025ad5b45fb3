package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.CompletedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Collectors;

/** Ginkgo suites of other projects. */
final class GinkgoSpecs {
    private GinkgoSpecs() {}

    /**
     * Returns a pattern for all listed specs: the indented lines of a file.
     *
     * @param file file of test resources
     */
    static String patterns(String file) throws IOException {
        return Files.readAllLines(Checkout.path("tests/src/test/resources/" + file)).stream()
                .filter(line -> line.startsWith(" "))
                .map(String::strip)
                .collect(Collectors.joining("|"));
    }

    /** Prints the number of specs, and fails with the summary of failures. */
    static void requirePassed(CompletedProcess run) {
        int summary = run.out().lastIndexOf("Summarizing");
        System.out.println(run.out()
                .substring(Math.max(0, Math.max(summary, run.out().lastIndexOf("\nRan ")))));
        assertThat(run.exitStatus())
                .as(summary < 0 ? run.out() + run.err() : run.out().substring(summary))
                .isZero();
    }
}
