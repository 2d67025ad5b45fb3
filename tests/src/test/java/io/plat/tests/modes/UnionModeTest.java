package io.plat.tests.modes;

import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A union: all members in one server, and half of them behind a webhook. */
final class UnionModeTest {
    private static ModeComparison comparison;

    @BeforeAll
    static void start() throws IOException {
        comparison = new ModeComparison(
                new ModeServers.Modes(List.of("ABAC", "RBAC"), List.of("ABAC", "Webhook"), List.of("RBAC")));
    }

    @AfterAll
    static void stop() {
        comparison.close();
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException, ProblemsException {
        return comparison.cases("union", document -> new Policy(document.policy(), document.roles(), ""));
    }

    @Test
    void randomPolicies() throws IOException, ProblemsException {
        comparison.random(random -> new Policy(random.lines(), random.manifests() + Policy.OWN_RULES, ""));
    }
}
