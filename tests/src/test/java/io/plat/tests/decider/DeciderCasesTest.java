package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.ProblemsException;
import io.plat.tests.model.cases.CaseFiles;
import io.plat.tests.model.cases.PolicyCase;
import io.plat.tests.model.cases.PolicyDocument;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case that the engines are asked, asked of a running decider: what stands between a policy file and an answer changes nothing. */
final class DeciderCasesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestPki pki;
    private static HttpsClient client;

    @BeforeAll
    static void prepare() {
        pki = TestPki.create().client("server-of-questions");
        client = HttpsClient.of(pki, "server-of-questions");
    }

    @AfterAll
    static void close() {
        client.close();
        pki.close();
    }

    @TestFactory
    Stream<DynamicTest> abac() throws IOException, ProblemsException {
        return documents("abac", "ABAC", "--authorization-policy-file=");
    }

    @TestFactory
    Stream<DynamicTest> rbac() throws IOException, ProblemsException {
        return documents("rbac", "RBAC", "--authorization-rbac-path=");
    }

    private static Stream<DynamicTest> documents(String cases, String mode, String flag)
            throws IOException, ProblemsException {
        return CaseFiles.of(cases).stream()
                .filter(document -> document.problems().isEmpty())
                .map(document -> dynamicTest(document.where(), () -> askAll(document, mode, flag)));
    }

    private static void askAll(PolicyDocument document, String mode, String flag) throws IOException {
        Path policy = Files.createTempFile(pki.folder(), "policy", mode.equals("RBAC") ? ".yaml" : ".jsonl");
        Files.writeString(policy, document.policy());
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=" + mode, flag + policy));
        if (!document.superUser().isEmpty()) {
            flags.add("--authorization-rbac-super-user=" + document.superUser());
        }
        try (RunningServer decider = RunningServer.start(Program.DECIDER, flags)) {
            for (PolicyCase each : document.cases()) {
                ask(decider, each);
            }
        }
    }

    private static void ask(RunningServer decider, PolicyCase each) throws IOException {
        HttpResponse<String> response = client.post(decider.at("/authorize"), question(each));
        boolean somebody = !each.request().user().name().isEmpty()
                || !each.request().user().groups().isEmpty();
        if (!somebody) {
            assertThat(response.statusCode()).as(each.name()).isEqualTo(422);
            return;
        }
        assertThat(response.statusCode())
                .as("%s: %s", each.name(), response.body())
                .isEqualTo(200);
        JsonNode status = JSON.readTree(response.body()).path("status");
        assertThat(status.path("allowed").asBoolean())
                .as("%s: %s", each.name(), each.why())
                .isEqualTo(each.allowed());
    }

    private static String question(PolicyCase each) {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec");
        spec.put("user", each.request().user().name());
        each.request().user().groups().forEach(spec.putArray("groups")::add);
        switch (each.request().access()) {
            case ResourceAttributes resource ->
                spec.putObject("resourceAttributes")
                        .put("verb", resource.verb())
                        .put("group", resource.group())
                        .put("resource", resource.resource())
                        .put("subresource", resource.subresource())
                        .put("namespace", resource.namespace())
                        .put("name", resource.name());
            case NonResourceAttributes path ->
                spec.putObject("nonResourceAttributes").put("verb", path.verb()).put("path", path.path());
        }
        return review.toString();
    }
}
