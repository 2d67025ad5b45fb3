package io.plat.tests.modes;

import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Mode ABAC in the engine, a server and a delegating server. */
final class AbacModeTest {
    private static ModeComparison comparison;

    @BeforeAll
    static void start() throws IOException {
        comparison = new ModeComparison(ModeServers.Modes.of("ABAC"));
    }

    @AfterAll
    static void stop() {
        comparison.close();
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException, ProblemsException {
        return comparison.cases("abac", document -> new Policy(document.policy(), "", ""));
    }

    @Test
    void randomPolicies() throws IOException, ProblemsException {
        comparison.random(random -> new Policy(random.lines(), "", ""));
    }
}
