package io.plat.tests.modes;

import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Mode RBAC: what role objects say, through three ways in. */
final class RbacThreeWaysTest {
    private static ThreeWays ways;

    @BeforeAll
    static void start() throws IOException {
        ways = new ThreeWays(ModeServers.Modes.of("RBAC"));
    }

    @AfterAll
    static void stop() {
        ways.close();
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException, ProblemsException {
        return ways.cases("rbac", document -> new Policy("", document.policy(), document.superUser()));
    }

    @Test
    void randomOnes() throws IOException, ProblemsException {
        ways.random(random -> new Policy("", random.manifests() + Policy.OWN_RULES, ""));
    }
}
