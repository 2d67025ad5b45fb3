package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.PresentingLine;
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

/** The access page of a decider in a browser, for the holder of a client certificate: nobody signs in at a decider. */
class DeciderPageTest {
    private static final String POLICY = """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"*","resource":"pods","readonly":true}}
            """;

    @Test
    void whoHasACertificateSeesTheMatrixAndDecisionsAsTheyAreMade(@TempDir Path folder) throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, the access page is not looked at");
        try (TestPki pki = TestPki.create().client("viewer").client("asking")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--allowed-client-names=viewer,asking",
                    "--explain-client-names=viewer",
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file=" + Files.writeString(folder.resolve("policy.jsonl"), POLICY)));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                    PresentingLine line = PresentingLine.to(pki, "viewer", decider.port());
                    HttpsClient asking = HttpsClient.of(pki, "asking");
                    Browser browser = Browser.start()) {
                browser.open(line.at("/ui"));
                browser.until("document.querySelector('#matrix')?.textContent.includes('alice')");
                browser.value("location.hash = 'live'");
                browser.until(
                        "document.querySelector('.live .status')?.textContent.includes('since this view was opened')");
                asking.post(decider.at("/apis/authorization.k8s.io/v1/subjectaccessreviews"), """
                        {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"somebody",\
                        "resourceAttributes":{"verb":"get","resource":"pods","namespace":"asked-live"}}}
                        """);
                browser.until("document.querySelector('.live tbody').textContent.includes('asked-live')");
                assertThat(browser.value("document.querySelector('.live tbody').textContent")
                                .asText())
                        .contains("refused", "somebody", "pods");
                assertThat(browser.complaints()).isEmpty();
            }
        }
    }
}
