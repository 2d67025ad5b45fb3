package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.ClientCertificateProxy;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access page of a decider in a browser, for the holder of a client certificate; deciders have no sign-in. */
class DeciderPageTest {
    private static final String POLICY = """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"*","resource":"pods","readonly":true}}
            """;

    @Test
    void certificateHolderSeesMatrixAndLiveDecisions(@TempDir Path directory) throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, the access page is not looked at");
        try (TestPki pki = TestPki.create().client("viewer").client("asking")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--allowed-client-names=viewer,asking",
                    "--explain-client-names=viewer",
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file=" + Files.writeString(directory.resolve("policy.jsonl"), POLICY)));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                    ClientCertificateProxy line = ClientCertificateProxy.to(pki, "viewer", decider.port());
                    HttpsClient client = HttpsClient.of(pki, "asking");
                    Browser browser = Browser.start()) {
                browser.open(line.at("/ui"));
                browser.until("document.querySelector('#matrix')?.textContent.includes('alice')");
                browser.value("location.hash = 'live'");
                browser.until(
                        "document.querySelector('.live .status')?.textContent.includes('since this view was opened')");
                client.post(decider.at("/apis/authorization.k8s.io/v1/subjectaccessreviews"), """
                        {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"somebody",\
                        "resourceAttributes":{"verb":"get","resource":"pods","namespace":"live"}}}
                        """);
                browser.until("document.querySelector('.live tbody').textContent.includes('live')");
                assertThat(browser.value("document.querySelector('.live tbody').textContent")
                                .asText())
                        .contains("refused", "somebody", "pods");
                assertThat(browser.errors()).isEmpty();
            }
        }
    }

    /** Two users have access in one namespace each, and no user in all of them. */
    private static final String BY_NAMESPACE = """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"team-a","resource":"pods","readonly":true}}
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"bob","namespace":"team-b","resource":"secrets"}}
            """;

    @Test
    void firstTableShowsAnyNamespaceAndFitsANarrowWindow(@TempDir Path directory) throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, the access page is not looked at");
        try (TestPki pki = TestPki.create().client("viewer")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file="
                            + Files.writeString(directory.resolve("policy.jsonl"), BY_NAMESPACE)));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                    ClientCertificateProxy line = ClientCertificateProxy.to(pki, "viewer", decider.port());
                    Browser browser = Browser.start()) {
                browser.size(390, 844);
                browser.open(line.at("/ui"));
                browser.until("document.querySelector('#matrix')?.textContent.includes('alice')");
                assertThat(browser.value("document.querySelector('#matrix').textContent")
                                .asText())
                        .contains("bob");
                assertThat(browser.value("document.querySelector('.matrix .status').textContent")
                                .asText())
                        .endsWith("in any namespace");
                for (String view : List.of("matrix", "can-i", "live", "what-if")) {
                    browser.value("location.hash = '" + view + "'");
                    browser.until("document.getElementById('panel-" + view + "')");
                    assertThat(browser.value("document.documentElement.scrollWidth")
                                    .asInt())
                            .as(view)
                            .isLessThanOrEqualTo(390);
                }
                browser.value("location.hash = 'matrix'");
                browser.value("document.querySelector('#matrix .cell.read').click()");
                browser.until("document.querySelector('#drawer .verdict')");
                assertThat(browser.value("document.querySelector('#drawer').textContent")
                                .asText())
                        .contains("pods in team-a", "May get");
                browser.press("Escape");
                browser.value("document.querySelector('input[name=everywhere]').click()");
                browser.until("document.querySelector('.matrix .status').textContent"
                        + ".includes('in all namespaces at once: the policy grants nothing here')");
                browser.value("location.hash = 'can-i'");
                browser.until("document.querySelector('input[name=resource]')");
                browser.value("document.querySelector('input[name=resource]').focus()");
                browser.type("podz");
                browser.press("Enter");
                browser.until("document.querySelector('.hint.typo')?.textContent.includes('did you mean “pods”?')");
                assertThat(browser.errors()).isEmpty();
            }
        }
    }
}
