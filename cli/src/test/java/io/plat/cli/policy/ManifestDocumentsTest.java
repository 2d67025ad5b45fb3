package io.plat.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Texts are split at the start of documents, and line numbers are preserved. */
final class ManifestDocumentsTest {
    record Case(String text, List<String> documents) {}

    static final List<Case> CASES = List.of(
            new Case("", List.of("")),
            new Case("a: 1\n", List.of("a: 1\n")),
            new Case("a: 1\n---\nb: 2\n", List.of("a: 1\n", "---\nb: 2\n")),
            new Case("---\na: 1\n--- # more\nb: 2", List.of("---\na: 1\n", "--- # more\nb: 2")),
            new Case("a: 1\r\n---\r\nb: 2\r\n", List.of("a: 1\r\n", "---\r\nb: 2\r\n")),
            new Case("a: |\n  ---\nb: ----\n----\n", List.of("a: |\n  ---\nb: ----\n----\n")),
            new Case("a: 1\n---", List.of("a: 1\n", "---")),
            new Case("{\"a\":\n---\n}", List.of("{\"a\":\n---\n}")),
            new Case("a: 1\n%TAG x\n---\n", List.of("a: 1\n%TAG x\n---\n")));

    @ParameterizedTest
    @FieldSource("CASES")
    void documentsStartAtTheirMarkers(Case one) {
        assertThat(ManifestDocuments.of(one.text)).isEqualTo(one.documents);
        assertThat(String.join("", ManifestDocuments.of(one.text))).isEqualTo(one.text);
    }

    @Test
    void partIncludesItsLeadingComments() {
        assertThat(ManifestDocuments.parts("a: 1\nb: 2\n---\nc: 3\n---\nd: 4\n", 3))
                .containsExactly("a: 1\nb: 2\n", "\n\n---\nc: 3\n", "\n\n\n\n---\nd: 4\n");
        assertThat(ManifestDocuments.parts("a: 1\n---\nb: 2\n", 100)).containsExactly("a: 1\n---\nb: 2\n");
    }
}
