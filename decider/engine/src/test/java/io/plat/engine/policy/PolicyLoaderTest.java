package io.plat.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.FixedGrant;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PolicyLoaderTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String EXPECTED =
            "expected one of \"AlwaysAllow\", \"AlwaysDeny\", \"ABAC\", \"RBAC\", \"Webhook\"";

    private final Path directory;

    PolicyLoaderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    static Stream<Arguments> wrongCommandLines() {
        Path file = Path.of("x");
        return Stream.of(
                Arguments.of(
                        options(List.of(), null, List.of(), null),
                        List.of("--authorization-mode: required, " + EXPECTED)),
                Arguments.of(
                        options(List.of("Foo", "abac"), null, List.of(), null),
                        List.of(
                                "--authorization-mode: unknown mode \"Foo\", " + EXPECTED,
                                "--authorization-mode: unknown mode \"abac\", " + EXPECTED)),
                Arguments.of(
                        options(List.of("AlwaysAllow", "AlwaysAllow"), null, List.of(), null),
                        List.of("--authorization-mode: mode \"AlwaysAllow\" is given more than once")),
                Arguments.of(
                        options(List.of("ABAC", "RBAC", "Webhook"), null, List.of(), null),
                        List.of(
                                "--authorization-policy-file: required with mode \"ABAC\"",
                                "--authorization-rbac-path: required with mode \"RBAC\", or"
                                        + " --authorization-rbac-kubeconfig",
                                "--authorization-webhook-config-file: required with mode \"Webhook\"")),
                Arguments.of(
                        new AuthorizationOptions(
                                List.of("RBAC"), null, List.of(file), null, "system:anonymous", null, false),
                        List.of("--authorization-rbac-super-user: every request without credentials would be allowed"
                                + " everything")),
                Arguments.of(
                        new AuthorizationOptions(List.of("ABAC"), file, List.of(), null, "boss", null, false),
                        List.of("--authorization-rbac-super-user: requires mode \"RBAC\" in"
                                + " --authorization-mode")),
                Arguments.of(
                        new AuthorizationOptions(List.of("ABAC"), file, List.of(file), file, "", null, false),
                        List.of(
                                "--authorization-rbac-path: requires mode \"RBAC\" in" + " --authorization-mode",
                                "--authorization-rbac-kubeconfig: requires mode \"RBAC\" in"
                                        + " --authorization-mode")),
                Arguments.of(
                        options(List.of("AlwaysDeny"), file, List.of(file), file),
                        List.of(
                                "--authorization-policy-file: requires mode \"ABAC\" in" + " --authorization-mode",
                                "--authorization-rbac-path: requires mode \"RBAC\" in" + " --authorization-mode",
                                "--authorization-webhook-config-file: requires mode \"Webhook\" in"
                                        + " --authorization-mode")));
    }

    @ParameterizedTest
    @MethodSource("wrongCommandLines")
    void allProblemsOfACommandLineAreReported(AuthorizationOptions options, List<String> problems) {
        assertThat(options.problems(Set.of())).containsExactlyElementsOf(problems);
        assertThatThrownBy(() -> PolicyLoader.of(options, Map.of(), InstantSource.fixed(NOW)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(String.join("\n", problems));
    }

    @Test
    void aPlugInIsAModeLikeTheOthers() throws ProblemsException {
        Authorizer plugIn = request -> FixedGrant.allow("House", "a jar", "the house says so");
        PolicyLoader loader = PolicyLoader.of(
                options(List.of("AlwaysDeny", "House"), null, List.of(), null),
                Map.of("House", () -> plugIn),
                InstantSource.fixed(NOW));
        assertThat(loader.load().authorizer().authorize(request("x"))).isInstanceOf(Decision.Allow.class);
        assertThatThrownBy(() -> PolicyLoader.of(
                        options(List.of("Hous"), null, List.of(), null),
                        Map.of("House", () -> plugIn),
                        InstantSource.fixed(NOW)))
                .hasMessageEndingWith("\"Webhook\", \"House\"");
    }

    @Test
    void aModeWithASourceNeedsNoFile() throws ProblemsException {
        Authorizer store = request -> new Decision.Undecided(Cause.NOT_LOADED, "soon");
        PolicyLoader loader = PolicyLoader.of(
                options(List.of("RBAC"), null, List.of(), null), Map.of("RBAC", () -> store), InstantSource.fixed(NOW));
        assertThat(loader.paths()).isEmpty();
        assertThat(loader.load().authorizer().authorize(request("x"))).isInstanceOf(Decision.Undecided.class);
    }

    @Test
    void sourcesAreOpenedOnce() throws ProblemsException, IOException {
        List<String> opened = new ArrayList<>();
        Path abac = Files.writeString(directory.resolve("abac"), line("jane"));
        PolicyLoader loader = PolicyLoader.of(
                options(List.of("ABAC", "Webhook"), abac, List.of(), directory.resolve("webhook")),
                Map.of("Webhook", () -> {
                    opened.add("Webhook");
                    return request -> Decision.NoOpinion.SILENT;
                }),
                InstantSource.fixed(NOW));
        loader.load();
        Files.writeString(abac, line("joe"));
        loader.load();
        assertThat(opened).hasSize(1);
    }

    @Test
    void allProblemsOfFilesAreReported() throws IOException {
        Path abac = Files.writeString(directory.resolve("abac"), "{}");
        Path rbac = Files.writeString(directory.resolve("rbac.yaml"), "kind: Role\n");
        Path missing = directory.resolve("missing");
        PolicyLoader loader = PolicyLoader.of(
                options(List.of("ABAC", "RBAC", "Webhook"), abac, List.of(rbac, missing), directory.resolve("w")),
                Map.of("Webhook", () -> {
                    throw new ProblemsException(new Problem(new Location("w", 3), "no context"));
                }),
                InstantSource.fixed(NOW));
        assertThatThrownBy(loader::load)
                .isInstanceOfSatisfying(
                        ProblemsException.class,
                        e -> assertThat(e.problems())
                                .map(Problem::toString)
                                .containsExactlyInAnyOrder(
                                        abac + ":1: empty object, expected a policy",
                                        rbac + ":1: apiVersion: required",
                                        missing + ": cannot read: no such file",
                                        "w:3: no context"));
    }

    @Test
    void aPolicyConsistsOfAllItsFiles() throws ProblemsException, IOException {
        Path abac = Files.writeString(directory.resolve("abac"), line("jane") + "\n" + line("joe"));
        Path roles = Files.createDirectory(directory.resolve("roles"));
        Files.writeString(roles.resolve("role.yaml"), """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: version}
            rules: [{nonResourceURLs: [/version], verbs: [get]}]
            ---
            apiVersion: v1
            kind: Pod
            """);
        Path binding = Files.writeString(directory.resolve("binding.yaml"), """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: ann}
            subjects: [{kind: User, name: ann}]
            roleRef: {kind: ClusterRole, name: version}
            """);
        AuthorizationOptions options = new AuthorizationOptions(
                List.of("ABAC", "RBAC"), abac, List.of(roles, binding), null, "boss", null, false);
        PolicyLoader loader = PolicyLoader.of(options, Map.of(), InstantSource.fixed(NOW));
        PolicySet policy = loader.load();
        assertThat(loader.paths()).containsExactly(abac, roles, binding);
        assertThat(policy.size()).isEqualTo(new PolicySet.Size(2, 1, 1));
        assertThat(policy.loadedAt()).isEqualTo(NOW);
        assertThat(policy.warnings()).hasSize(1);
        for (String user : List.of("jane", "joe", "ann", "boss")) {
            assertThat(policy.authorizer().authorize(request(user))).as(user).isInstanceOf(Decision.Allow.class);
            assertThat(policy.authorizer().decideFromMemory(request(user)))
                    .as(user)
                    .isInstanceOf(Decision.Allow.class);
        }
        assertThat(policy.authorizer().authorize(request("mallory"))).isInstanceOf(Decision.NoOpinion.class);
    }

    @Test
    void theRevisionIdentifiesContentAndLoad() throws ProblemsException, IOException {
        Path abac = Files.writeString(directory.resolve("abac"), line("jane"));
        PolicyLoader loader = loader(abac);
        String first = loader.load().revision();
        assertThat(first).matches("[0-9a-f]{12}-1");
        assertThat(loader.readIfChanged(loader.files())).isNull();
        Files.writeString(abac, line("joe"));
        assertThat(changed(loader)).matches("[0-9a-f]{12}-2").isNotEqualTo(first.replace("-1", "-2"));
        Files.writeString(abac, line("jane"));
        assertThat(changed(loader)).isEqualTo(first.replace("-1", "-3"));
        assertThat(loader(abac).load().revision()).as("another process").isEqualTo(first);
    }

    private static String changed(PolicyLoader loader) throws ProblemsException {
        FilePolicy files = loader.readIfChanged(loader.files());
        assertThat(files).isNotNull();
        return loader.assemble(files).revision();
    }

    @Test
    void onlyAlwaysDenyAloneRefusesEverything() {
        assertThat(options(List.of("AlwaysDeny"), null, List.of(), null).refusesEverything())
                .isTrue();
        assertThat(options(List.of("AlwaysDeny", "RBAC"), null, List.of(), null).refusesEverything())
                .isFalse();
        assertThat(options(List.of("AlwaysAllow"), null, List.of(), null).refusesEverything())
                .isFalse();
    }

    static PolicyLoader loader(Path abac) {
        return PolicyLoader.of(options(List.of("ABAC"), abac, List.of(), null), Map.of(), InstantSource.fixed(NOW));
    }

    static String line(String user) {
        return "{\"user\":\"" + user + "\"}";
    }

    static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/version", "get"));
    }

    @Test
    void anEmptyPolicyIsAWarning(@TempDir Path directory) throws Exception {
        Path abac = Files.writeString(directory.resolve("policy.jsonl"), "# nothing yet\n");
        Path rbac = Files.createDirectory(directory.resolve("roles"));
        PolicySet policy = PolicyLoader.of(
                        options(List.of("ABAC", "RBAC"), abac, List.of(rbac), null), Map.of(), InstantSource.fixed(NOW))
                .load();
        assertThat(policy.warnings().stream().map(Object::toString))
                .containsExactly(
                        abac + ": no policy lines, no access is granted", rbac + ": no bindings, no access is granted");
        Path bindings = Files.writeString(rbac.resolve("bindings.yaml"), """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: b}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: elsewhere}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
            """);
        assertThat(PolicyLoader.of(
                                options(List.of("RBAC"), null, List.of(bindings), null),
                                Map.of(),
                                InstantSource.fixed(NOW))
                        .load()
                        .warnings()
                        .stream()
                        .map(Object::toString))
                .containsExactly(bindings + ": no roles, no access is granted");
    }

    private static AuthorizationOptions options(
            List<String> modes, @Nullable Path abac, List<Path> rbac, @Nullable Path webhook) {
        return new AuthorizationOptions(modes, abac, rbac, null, "", webhook, false);
    }
}
