package io.plat.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages: their sections, and validation by a formatter. */
final class ManPageTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void pageHasTheStandardSections() {
        CommandRun run = CommandRun.plat("man", "why");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith(".TH \"PLAT\\-WHY\" 1 ")
                .contains(".SH NAME\n"
                        + "plat\\-why \\- Explain which rule allows an action, or which rules almost do and what would allow"
                        + " it.\n")
                .contains(".SH SYNOPSIS\n.nf\nplat why ", ".SH PARAMETERS\n.TP\n.B VERB\n", ".B \\-\\-suggest\n")
                .contains(".SH EXAMPLES\n", ".SH EXIT STATUS\n0 allowed, 1 not allowed.\n", ".SH SEE ALSO\nplat(1)\n");
        assertThat(CommandRun.plat("man").out()).contains(".SH COMMANDS\n.TP\n.B can\\-i\n");
        assertThat(CommandRun.plat("man", "pki", "issue").out())
                .startsWith(".TH \"PLAT\\-PKI\\-ISSUE\"")
                .contains("plat\\-pki(1)\n");
    }

    @Test
    void unknownCommandHasNoPage() {
        assertThat(CommandRun.plat("man", "nonsense"))
                .isEqualTo(new CommandRun(2, "", "plat: no such command: \"nonsense\"\n"));
        assertThat(CommandRun.plat("man", "why", "--dir", "x").status()).isEqualTo(2);
        assertThat(CommandRun.plat("man", "--dir", "/dev/null/x").status()).isEqualTo(3);
    }

    @Test
    void allPagesAreWritten() throws Exception {
        CommandRun run = CommandRun.plat("man", "--dir", directory.toString());
        assertThat(run).isEqualTo(new CommandRun(0, "", ""));
        List<Path> pages;
        try (Stream<Path> files = Files.list(directory)) {
            pages = files.sorted().toList();
        }
        assertThat(pages)
                .extracting(page -> page.getFileName().toString())
                .contains("plat.1", "plat-can-i.1", "plat-pki-init.1");
        assumeTrue(hasGroff(), "groff is not installed");
        for (Path page : pages) {
            Process groff = new ProcessBuilder("groff", "-man", "-Tutf8", "-ww", page.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String message = new String(groff.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(groff.waitFor()).as(page.toString()).isZero();
            assertThat(message).as(page.toString()).isEmpty();
        }
    }

    private static boolean hasGroff() throws InterruptedException {
        try {
            return new ProcessBuilder("groff", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
