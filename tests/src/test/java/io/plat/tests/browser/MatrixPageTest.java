package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Command;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code plat matrix -o html} in a browser, as assistive technology and its filter see it. */
class MatrixPageTest {
    private static final String POLICY = """
        {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"*","resource":"pods","readonly":true}}
        {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"bob","namespace":"*","resource":"*","apiGroup":"*"}}
        """;

    /** Colours of the text and its background, which the page sets itself: tools take a transparent one for white. */
    private static final String COLOURS = "(style => style.color + ' on ' +"
            + " style.backgroundColor)(getComputedStyle(document.querySelector('table')))";

    @Test
    void pageIsAccessibleAndFiltersItsRows(@TempDir Path directory) throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, the page of the matrix is not looked at");
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), POLICY);
        String html = Command.of(Program.PLAT, "matrix", "-A", "-o", "html", "--authorization-policy-file=" + policy)
                .run()
                .out();
        Path page = Files.writeString(directory.resolve("matrix.html"), html);
        try (Browser browser = Browser.start()) {
            browser.open(page.toUri());
            browser.until("document.querySelectorAll('tbody tr').length === 2");
            List<String> roles = new ArrayList<>();
            for (JsonNode node : browser.call("Accessibility.getFullAXTree", new ObjectMapper().createObjectNode())
                    .path("nodes")) {
                roles.add(node.at("/role/value").asText() + " "
                        + node.at("/name/value").asText());
            }
            assertThat(roles)
                    .contains(
                            "heading Access by subject and resource",
                            "searchbox Show subjects with",
                            "region Access by subject and resource",
                            "table Verbs that each subject is allowed on each resource",
                            "columnheader pods",
                            "rowheader alice",
                            "cell glw-----");
            browser.value("document.getElementById('filter').focus()");
            browser.type("ali");
            browser.until("document.querySelectorAll('tbody tr:not([hidden])').length === 1");
            browser.prefers("light");
            assertThat(browser.value(COLOURS).asText()).isEqualTo("rgb(0, 0, 0) on rgb(255, 255, 255)");
            browser.prefers("dark");
            assertThat(browser.value(COLOURS).asText()).isEqualTo("rgb(255, 255, 255) on rgb(18, 18, 18)");
            assertThat(browser.errors()).isEmpty();
        }
    }
}
