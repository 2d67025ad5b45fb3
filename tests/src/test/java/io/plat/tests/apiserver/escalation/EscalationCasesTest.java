package io.plat.tests.apiserver.escalation;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every case on a server: by each method, in both API groups, with and without the RBAC authorizer. */
class EscalationCasesTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int CONCURRENCY = 8;

    @ParameterizedTest
    @ValueSource(strings = {"RBAC", "AlwaysAllow"})
    void nobodyGrantsWhatTheyDoNotHold(String mode)
            throws IOException, ProblemsException, URISyntaxException, InterruptedException, ExecutionException {
        // The super user requires mode RBAC.
        List<EscalationCase> cases = EscalationCases.all().stream()
                .filter(each -> mode.equals("RBAC") || !each.as().equals("root"))
                .toList();
        assertThat(cases).hasSizeGreaterThanOrEqualTo(120);
        List<String> tokens = cases.stream().map(EscalationCasesTest::token).toList();
        try (EscalationServer server = EscalationServer.start(mode, tokens);
                ExecutorService threads = Executors.newFixedThreadPool(CONCURRENCY)) {
            List<Callable<Integer>> work = new ArrayList<>();
            cases.forEach(each -> work.add(() -> run(server, each, mode)));
            int attempts = 0;
            for (Future<Integer> each : threads.invokeAll(work)) {
                attempts += each.get();
            }
            System.out.printf("%d escalation cases, %d writes, mode %s%n", cases.size(), attempts, mode);
        }
    }

    private static String token(EscalationCase each) {
        return each.token() + ",\"" + each.user() + "\",,"
                + (each.groups().isEmpty() ? "" : each.groups().getFirst());
    }

    private static int run(EscalationServer server, EscalationCase each, String mode) {
        Attempts attempts = new Attempts(server, each);
        attempts.setUp();
        int attempted = 0;
        for (WriteMethod method : methods(each)) {
            // Each method in one API group, and in the other one for the other mode.
            boolean kubernetes =
                    (each.number() + each.number() / 8 + attempted + (mode.equals("RBAC") ? 0 : 1)) % 2 == 0;
            attempts.attempt(method, kubernetes ? RoleTexts.ofKubernetes() : RoleTexts.ofTheSpecification());
            attempted++;
        }
        return attempted;
    }

    /** Returns all methods, or create and one other in rotation. */
    private static List<WriteMethod> methods(EscalationCase each) {
        List<WriteMethod> all = each.methods();
        return FULL
                ? all
                : all.stream()
                        .filter(method ->
                                all.indexOf(method) == each.number() % all.size() || method == WriteMethod.CREATE)
                        .toList();
    }
}
