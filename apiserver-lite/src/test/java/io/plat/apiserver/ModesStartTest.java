package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures to start in a mode: an invalid command line (exit status 2), or an unusable file (1). */
class ModesStartTest {
    private static final String PLAT_REVIEWS = "--runtime-config=authorization.plat.io/v1beta1=true";
    private static final String PLAT_ROLES = "--runtime-config=rbac.authorization.plat.io/v1alpha1=true";

    private final Path directory;

    ModesStartTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /**
     * A command line, where {@code D} is the directory of files.
     *
     * @param problems starts of all lines of the report about authorization
     */
    record Case(List<String> flags, boolean usage, List<String> problems) {
        @Override
        public String toString() {
            return String.join(" ", flags);
        }
    }

    private static Case usage(String flags, String... problems) {
        return new Case(List.of(flags.split(" ", -1)), true, List.of(problems));
    }

    private static Case unusable(String flags, String... problems) {
        return new Case(List.of(flags.split(" ", -1)), false, List.of(problems));
    }

    @BeforeEach
    void files() throws IOException {
        Files.writeString(
                directory.resolve("broken.jsonl"), "{}\n{\"user\":\"x\"}\n{\"kind\":\"Policy\",\"spec\":{}}\n");
        webhook("plain.conf", "http://localhost:1/authorize", "");
        webhook("context.conf", "https://localhost:1/authorize", "current-context: other\n");
        webhook("ca.conf", "https://localhost:1/authorize", "current-context: here\n");
        Files.writeString(directory.resolve("empty.yaml"), "");
        String head = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n";
        Files.writeString(directory.resolve("abac.yaml"), head + """
            authorizers:
            - {type: ABAC, name: lines}
            - {type: Nope, name: nope}
            """);
        Files.writeString(directory.resolve("webhook.yaml"), head + """
            authorizers:
            - type: Webhook
              name: corp
              webhook:
                timeout: 3s
                failurePolicy: Deny
                subjectAccessReviewVersion: v1
                connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
            """.formatted(directory.resolve("plain.conf")));
    }

    private void webhook(String name, String server, String more) throws IOException {
        Files.writeString(
                directory.resolve(name),
                "apiVersion: v1\n"
                        + "kind: Config\n"
                        + "clusters: [{name: c, cluster: {certificate-authority: missing.crt, server: '"
                        + server + "'}}]\nusers: [{name: u, user: {}}]\n"
                        + "contexts: [{name: here, context: {cluster: c, user: u}}]\n"
                        + (more.isEmpty() ? "current-context: here\n" : more));
    }

    static Stream<Case> cases() {
        return Stream.of(
                usage("--data-dir=D/data", "--authorization-mode: required"),
                usage("--authorization-mode=", "--authorization-mode: invalid value \"\""),
                usage("--authorization-mode=abac", "--authorization-mode: unknown mode \"abac\", expected one of"),
                usage(
                        "--authorization-mode=AlwaysAllow,Node",
                        "--authorization-mode: unknown mode \"Node\", which needs kube-apiserver's"),
                usage(
                        "--authorization-mode=AlwaysAllow,AlwaysDeny,AlwaysAllow",
                        "--authorization-mode: mode \"AlwaysAllow\" is given more than once"),
                usage(
                        "--authorization-mode=AlwaysAllow --authorization-mode=AlwaysAllow",
                        "--authorization-mode: mode \"AlwaysAllow\" is given more than once"),
                usage("--authorization-mode=ABAC", "--authorization-policy-file: required with mode \"ABAC\""),
                usage(
                        "--authorization-mode=RBAC",
                        "--authorization-mode: mode \"RBAC\" needs its API: add "
                                + "--runtime-config=rbac.authorization.plat.io/v1alpha1=true"),
                usage(
                        "--authorization-mode=RBAC --runtime-config=rbac.authorization.plat.io/v1alpha1=false",
                        "--authorization-mode: mode \"RBAC\" needs its API"),
                usage(
                        "--authorization-mode=RBAC"
                                + " --runtime-config=api/all=true,rbac.authorization.plat.io/v1alpha1=false",
                        "--authorization-mode: mode \"RBAC\" needs its API"),
                usage(
                        "--authorization-mode=RBAC --runtime-config=rbac.authorization.k8s.io/v1=true",
                        "--authorization-mode: mode \"RBAC\" needs its API"),
                usage(
                        "--authorization-mode=Webhook --authorization-webhook-config-file=D/plain.conf " + PLAT_ROLES,
                        "--authorization-mode: mode \"Webhook\" needs its API: add "
                                + "--runtime-config=authorization.plat.io/v1beta1=true"),
                usage(
                        "--authorization-mode=Webhook " + PLAT_REVIEWS,
                        "--authorization-webhook-config-file: required with mode \"Webhook\""),
                usage(
                        "--authorization-mode=ABAC,RBAC,Webhook",
                        "--authorization-policy-file: required with mode \"ABAC\"",
                        "--authorization-webhook-config-file: required with mode \"Webhook\"",
                        "--authorization-mode: mode \"RBAC\" needs its API",
                        "--authorization-mode: mode \"Webhook\" needs its API"),
                usage(
                        "--authorization-mode=AlwaysAllow --authorization-policy-file=D/x",
                        "--authorization-policy-file: requires mode \"ABAC\""),
                usage(
                        "--authorization-mode=AlwaysAllow --authorization-rbac-super-user=root",
                        "--authorization-rbac-super-user: requires mode \"RBAC\""),
                usage(
                        "--authorization-mode=AlwaysAllow --authorization-webhook-config-file=D/x",
                        "--authorization-webhook-config-file: requires mode \"Webhook\""),
                usage(
                        "--authorization-mode=AlwaysAllow --policy-reload=sometimes",
                        "--policy-reload: invalid value \"sometimes\", expected"),
                usage(
                        "--authorization-mode=RBAC --authorization-config=D/abac.yaml",
                        "--authorization-mode: cannot be combined with --authorization-config"),
                usage(
                        "--authorization-config=D/abac.yaml --authorization-webhook-config-file=D/x"
                                + " --authorization-webhook-cache-authorized-ttl=5m"
                                + " --authorization-webhook-version=authorization.k8s.io/v1",
                        "--authorization-webhook-config-file: cannot be combined with --authorization-config",
                        "--authorization-webhook-cache-authorized-ttl: cannot be combined with --authorization-config",
                        "--authorization-webhook-version: cannot be combined with --authorization-config"),
                unusable("--authorization-mode=ABAC --authorization-policy-file=D/missing.jsonl", "D/missing.jsonl: "),
                unusable("--authorization-mode=ABAC --authorization-policy-file=D", "D: "),
                unusable(
                        "--authorization-mode=ABAC --authorization-policy-file=D/broken.jsonl",
                        "D/broken.jsonl:1: ",
                        "D/broken.jsonl:3: "),
                unusable(
                        "--authorization-mode=Webhook --authorization-webhook-config-file=D/missing.conf "
                                + PLAT_REVIEWS,
                        "D/missing.conf: "),
                unusable(
                        "--authorization-mode=Webhook --authorization-webhook-config-file=D/plain.conf " + PLAT_REVIEWS,
                        "D/plain.conf:3: cluster \"c\".server: expected an https URL",
                        "D/plain.conf:3: cluster \"c\".certificate-authority: "),
                unusable(
                        "--authorization-mode=Webhook --authorization-webhook-config-file=D/context.conf "
                                + PLAT_REVIEWS,
                        "D/context.conf:6: "),
                unusable(
                        "--authorization-mode=Webhook --authorization-webhook-config-file=D/ca.conf " + PLAT_REVIEWS,
                        "D/ca.conf:"),
                unusable("--authorization-config=D/missing.yaml", "D/missing.yaml: "),
                unusable(
                        "--authorization-config=D/empty.yaml", "D/empty.yaml: expected one AuthorizationConfiguration"),
                unusable(
                        "--authorization-config=D/abac.yaml",
                        "D/abac.yaml:4: authorizers[0].type: \"ABAC\" needs --authorization-policy-file",
                        "D/abac.yaml:5: authorizers[1].type: invalid value \"Nope\""),
                unusable(
                        "--authorization-config=D/webhook.yaml",
                        "D/plain.conf:3: cluster \"c\".server: expected an https URL",
                        "D/plain.conf:3: cluster \"c\".certificate-authority: "));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void allProblemsAreReported(Case each) throws IOException {
        TestingPki pki = new TestingPki(Files.createDirectories(directory.resolve("pki")));
        List<String> flags = new ArrayList<>(List.of(
                "--secure-port=0",
                "--tls-cert-file=" + pki.certificateFile(),
                "--tls-private-key-file=" + pki.keyFile(),
                "--data-dir=" + directory.resolve("data")));
        each.flags().forEach(flag -> flags.add(here(flag)));
        Class<? extends Exception> expected = each.usage() ? UsageException.class : StartException.class;
        assertThatThrownBy(() -> TestingApiServer.start(flags).stop())
                .isInstanceOf(expected)
                .satisfies(refused -> {
                    List<String> lines = problems(refused);
                    assertThat(lines).hasSize(each.problems().size());
                    for (String problem : each.problems()) {
                        assertThat(lines).anySatisfy(line -> assertThat(line).startsWith(here(problem)));
                    }
                });
    }

    private String here(String text) {
        return text.replaceAll("(^|[= ])D(?=[/: ]|$)", "$1" + directory);
    }

    private static List<String> problems(Throwable refused) {
        return refused instanceof UsageException usage ? usage.problems() : ((StartException) refused).problems();
    }
}
