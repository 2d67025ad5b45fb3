package io.plat.tests.model.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case, decided by the engines. */
final class EngineCasesTest {
    private static final int AT_LEAST = 150;

    /** Creates the authorizer of a document's policy. */
    @FunctionalInterface
    private interface Engine {
        Authorizer of(PolicyDocument document) throws ProblemsException;
    }

    @TestFactory
    Stream<DynamicContainer> abac() throws IOException, ProblemsException {
        return containers(
                "abac", document -> new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", document.policy()))));
    }

    @TestFactory
    Stream<DynamicContainer> rbac() throws IOException, ProblemsException {
        return containers("rbac", document -> {
            RbacManifestReader reader = new RbacManifestReader();
            reader.add("policy", document.policy());
            return RbacAuthorizer.of(RbacIndex.of(reader.finish().policy()), document.superUser());
        });
    }

    @TestFactory
    Stream<DynamicContainer> union() throws IOException, ProblemsException {
        return containers("union", document -> {
            RbacManifestReader reader = new RbacManifestReader();
            reader.add("roles", document.roles());
            return new UnionAuthorizer(List.of(
                    new Member("ABAC", new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", document.policy())))),
                    new Member(
                            "RBAC",
                            RbacAuthorizer.of(RbacIndex.of(reader.finish().policy()), ""))));
        });
    }

    @Test
    void everyModeHasEnoughCases() throws IOException, ProblemsException {
        for (String mode : List.of("abac", "rbac", "union")) {
            long cases = CaseFiles.of(mode).stream()
                    .mapToLong(document -> document.cases().size())
                    .sum();
            assertThat(cases).as(mode).isGreaterThanOrEqualTo(AT_LEAST);
        }
    }

    private static Stream<DynamicContainer> containers(String directory, Engine engine)
            throws IOException, ProblemsException {
        return CaseFiles.of(directory).stream()
                .map(document -> dynamicContainer(document.where(), tests(document, engine)));
    }

    private static Stream<DynamicTest> tests(PolicyDocument document, Engine engine) {
        if (!document.problems().isEmpty()) {
            return Stream.of(dynamicTest(
                    "is refused",
                    () -> assertThatThrownBy(() -> engine.of(document))
                            .isInstanceOfSatisfying(
                                    ProblemsException.class,
                                    e -> assertThat(e.problems())
                                            .map(Object::toString)
                                            .containsExactlyElementsOf(document.problems()))));
        }
        return document.cases().stream().map(each -> dynamicTest(each.name(), () -> check(each, engine.of(document))));
    }

    private static void check(PolicyCase each, Authorizer authorizer) {
        Decision decision = authorizer.authorize(each.request());
        assertThat(decision instanceof Decision.Allow).as(each.cause()).isEqualTo(each.allowed());
        if (decision instanceof Decision.Allow allow && !each.by().isEmpty()) {
            assertThat(allow.grant().source()).isEqualTo(each.by());
        }
    }
}
