package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every sample policy grants what its README states. */
final class SampleGrantsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Samples with the flags that read them; a file without a row fails the test below. */
    private static final List<String> POLICIES = List.of(
            "--authorization-rbac-path=conf/samples/rbac",
            "--authorization-rbac-path=conf/samples/rbac-v1alpha1",
            "--authorization-policy-file=conf/samples/abac/policy.jsonl",
            "--authorization-policy-file=conf/samples/abac/policy-unversioned.jsonl");

    @ParameterizedTest(name = "{0}: {1} [{2}] {3} -> {4}")
    @CsvSource(delimiter = '|', textBlock = """
            rbac          | alice  | team-a-developers | create pods -n team-a                    | yes
            rbac          | alice  | team-a-developers | create pods -n team-b                    | no
            rbac          | alice  | team-a-developers | get namespaces/team-a                    | yes
            rbac          | alice  | team-a-developers | list secrets -n team-a                   | no
            rbac          | ben    | team-b-developers | create pods -n team-b                    | yes
            rbac          | olivia | operators         | delete namespaces/team-b                 | yes
            rbac          | olivia | operators         | create roles -n team-a                   | no
            rbac          | carol  | auditors          | list rolebindings -A                     | yes
            rbac          | carol  | auditors          | list secrets -A                          | no
            rbac          | carol  | auditors          | delete pods -n team-a                    | no
            rbac          | system:serviceaccount:ci:deployer | '' | patch deployments/web -n team-b | yes
            rbac          | system:serviceaccount:ci:deployer | '' | create deployments -n team-b    | no
            rbac-v1alpha1 | chris  | ''                | get pods --subresource=log -n team-c      | yes
            rbac-v1alpha1 | chris  | ''                | delete pods -n team-c                    | no
            rbac-v1alpha1 | system:serviceaccount:team-c:builder | '' | list pods -n team-c          | yes
            policy        | alice  | team-a-developers | create pods -n team-a                    | yes
            policy        | alice  | team-a-developers | create pods -n team-b                    | no
            policy        | alice  | team-a-developers | get secrets -n team-a                    | no
            policy        | olivia | operators         | delete nodes/n1                          | yes
            policy        | carol  | auditors          | list clusterroles                        | yes
            policy        | carol  | auditors          | delete pods -n team-a                    | no
            policy        | system:serviceaccount:ci:deployer | '' | update deployments -n team-a    | yes
            policy-unversioned | olivia | ''           | delete nodes/n1                          | yes
            policy-unversioned | alice  | ''           | get pods -n team-a                       | yes
            policy-unversioned | alice  | ''           | get pods -n team-b                       | no
            policy-unversioned | carol  | auditors     | get /metrics                             | yes
            """)
    void grantsWhatTheReadmeStates(String sample, String user, String group, String request, String expected) {
        List<String> arguments = new ArrayList<>(List.of("can-i"));
        arguments.addAll(List.of(request.split(" ")));
        arguments.addAll(List.of("--as", user, flag(sample)));
        if (!group.isEmpty()) {
            arguments.addAll(List.of("--as-group", group));
        }
        CommandRun answer = CommandRun.plat(arguments.toArray(String[]::new));
        assertThat(answer.out()).as(answer.err()).startsWith(expected);
        assertThat(answer.err()).isEmpty();
    }

    private static String flag(String sample) {
        String flag = POLICIES.stream()
                .filter(policy -> policy.endsWith("/" + sample) || policy.endsWith("/" + sample + ".jsonl"))
                .findFirst()
                .orElseThrow();
        return flag.replace("=", "=" + ROOT + "/");
    }

    @Test
    void everyPolicySampleIsInTheTable() throws IOException {
        Set<String> tested = new TreeSet<>();
        POLICIES.forEach(flag -> tested.add(flag.substring(flag.indexOf('=') + 1)));
        Set<String> present = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("conf/samples"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = ROOT.relativize(file).toString();
                if (name.endsWith(".jsonl")) {
                    present.add(name);
                } else if (name.endsWith(".yaml") && !name.contains("/policy-tests/")) {
                    present.add(name.substring(0, name.lastIndexOf('/')));
                }
            }
        }
        assertThat(tested).isEqualTo(present);
    }
}
