package io.plat.engine.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.FieldProblem.Reason;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Validation of objects that are not read from files. Objects in files are tested by the case tables. */
final class RbacValidationTest {
    private static final RbacRule GOOD = RbacRule.onResources(List.of("get"), List.of(""), List.of("pods"));

    static Stream<Arguments> objects() {
        return Stream.of(
                Arguments.of(RbacRole.role("a", "r", List.of(GOOD)), List.of()),
                Arguments.of(RbacRole.role("a", "system:reader", List.of()), List.of()),
                Arguments.of(
                        RbacRole.clusterRole("r", List.of(RbacRule.onPaths(List.of("get"), List.of("*")))), List.of()),
                Arguments.of(RbacRole.role("", "r", List.of(GOOD)), List.of("metadata.namespace FieldValueRequired")),
                Arguments.of(RbacRole.role("a", "", List.of()), List.of("metadata.name FieldValueRequired")),
                Arguments.of(RbacRole.role("a", "..", List.of()), List.of("metadata.name FieldValueInvalid")),
                Arguments.of(RbacRole.role("a", "x%y", List.of()), List.of("metadata.name FieldValueInvalid")),
                Arguments.of(
                        RbacRole.role("a", "r", List.of(RbacRule.onPaths(List.of(), List.of("/x")))),
                        List.of("rules[0].verbs FieldValueRequired", "rules[0].nonResourceURLs FieldValueInvalid")),
                Arguments.of(
                        RbacRole.clusterRole(
                                "r",
                                List.of(new RbacRule(
                                        List.of("get"), List.of(), List.of(), List.of("n"), List.of("/x"), null))),
                        List.of("rules[0].nonResourceURLs FieldValueInvalid")),
                Arguments.of(
                        binding("a", RoleRef.role("r"), RbacSubject.user("jane"), RbacSubject.serviceAccount("", "s")),
                        List.of()),
                Arguments.of(binding("a", RoleRef.role("r")), List.of()),
                Arguments.of(
                        binding("", RoleRef.clusterRole("r"), RbacSubject.serviceAccount("", "s")),
                        List.of("subjects[0].namespace FieldValueRequired")),
                Arguments.of(
                        binding("", RoleRef.role("r"), RbacSubject.user("jane")),
                        List.of("roleRef.kind FieldValueNotSupported")),
                Arguments.of(
                        binding("a", new RoleRef("apps", "", "", "")),
                        List.of(
                                "roleRef.apiGroup FieldValueNotSupported",
                                "roleRef.kind FieldValueNotSupported",
                                "roleRef.name FieldValueRequired")),
                Arguments.of(
                        binding(
                                "a",
                                RoleRef.role("r"),
                                new RbacSubject("", "", "", ""),
                                new RbacSubject("ServiceAccount", "rbac.authorization.k8s.io", "a:b", "c/d"),
                                new RbacSubject("Group", "rbac.authorization.plat.io", "", "g")),
                        List.of(
                                "subjects[0].name FieldValueRequired",
                                "subjects[0].kind FieldValueNotSupported",
                                "subjects[1].name FieldValueInvalid",
                                "subjects[1].namespace FieldValueInvalid",
                                "subjects[1].apiGroup FieldValueNotSupported")));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void everyProblemHasItsField(RbacObject object, List<String> problems) {
        assertThat(RbacValidation.problemsOf(object))
                .map(problem -> problem.field() + " " + problem.reason().word())
                .containsExactlyElementsOf(problems);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void messagesAreOneLineLikeKubernetes(RbacObject object, List<String> problems) {
        assertThat(RbacValidation.problemsOf(object))
                .allSatisfy(problem ->
                        assertThat(problem.message()).doesNotContain("\n").startsWith(phrase(problem.reason())));
    }

    private static String phrase(Reason reason) {
        return switch (reason) {
            case REQUIRED -> "Required value";
            case INVALID -> "Invalid value: ";
            case NOT_SUPPORTED -> "Unsupported value: \"";
            case FORBIDDEN -> "Forbidden: ";
        };
    }

    private static RbacBinding binding(String namespace, RoleRef role, RbacSubject... subjects) {
        return namespace.isEmpty()
                ? RbacBinding.clusterRoleBinding("b", role, List.of(subjects))
                : RbacBinding.roleBinding(namespace, "b", role, List.of(subjects));
    }
}
