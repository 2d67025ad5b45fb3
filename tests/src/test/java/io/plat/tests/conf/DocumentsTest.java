package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.Directories;
import io.plat.tests.process.ReusedPlat;
import io.plat.tests.process.ReusedServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands in README and docs print the shown output. The programs on the PATH share JVMs; in a full run each is a process.
 * {@code -Dplat.stored.update=true} stores changed output in the page for review; {@code -Dplat.page=NAME} selects pages by a pattern.
 */
@Order(0)
class DocumentsTest {
    private static final boolean UPDATE = Boolean.getBoolean("plat.stored.update");
    private static final boolean PROCESSES = UPDATE || Boolean.getBoolean("plat.full");
    private static final Duration STARTED = Duration.ofMinutes(1);
    private static final int PAGE_LINES = 200;
    /** Maximum number of command blocks that are not executed. */
    private static final int NOT_RUN = 6;

    private static Path top = Path.of("");
    private static @Nullable ReusedPlat plat;
    private static @Nullable ReusedServers servers;

    @BeforeAll
    static void startPrograms() throws IOException {
        top = Files.createDirectory(Files.createTempDirectory("plat-pages").resolve("plat"));
        plat = PROCESSES ? null : ReusedPlat.start(top);
        servers = PROCESSES ? null : ReusedServers.start(top);
    }

    @AfterAll
    static void stopPrograms() {
        if (plat != null) {
            plat.close();
        }
        if (servers != null) {
            servers.close();
        }
        Directories.delete(top.getParent());
    }

    private static List<Path> programs() {
        return plat == null || servers == null ? List.of() : List.of(plat.bin(), servers.bin());
    }

    static Stream<String> pages() throws IOException {
        try (Stream<Path> docs = Files.list(Checkout.path("docs"))) {
            List<String> names = docs.map(file -> "docs/" + file.getFileName())
                    .filter(name -> name.endsWith(".md"))
                    .sorted()
                    .toList();
            String only = System.getProperty("plat.page", "");
            return Stream.concat(Stream.of("README.md"), names.stream())
                    .filter(name -> Pattern.compile(only).matcher(name).find());
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commandsPrintTheShownOutput(String name) throws IOException {
        assumeTrue(available("bash, curl, openssl"), "bash, curl or openssl is not installed");
        Page page = Page.read(Checkout.path(name));
        List<String> differences = new ArrayList<>();
        List<String> lines = new ArrayList<>(page.lines());
        int changed = 0;
        try (PageShell shell = PageShell.start(top, programs())) {
            for (Page.Block block : page.blocks()) {
                if (block.comments().containsKey("file")) {
                    shell.write(block.comment("file"), block.content());
                }
                if (!block.isConsole() || block.isIdle() || !available(block.comment("needs"))) {
                    continue;
                }
                for (Page.Step step : block.steps()) {
                    String printed = printed(shell, block, step);
                    if (OutputComparison.matches(step.output(), printed)) {
                        continue;
                    }
                    differences.add(name + ":" + (step.line() + 1) + ": $ " + step.command() + "\nshown:\n"
                            + String.join("\n", step.output()) + "\nprinted:\n" + printed);
                    if (UPDATE && !block.isBackground()) {
                        List<String> old = lines.subList(
                                step.outputLine() + changed,
                                step.outputLine() + changed + step.output().size());
                        List<String> output = printed.lines().toList();
                        old.clear();
                        old.addAll(output);
                        changed += output.size() - step.output().size();
                    }
                }
            }
        }
        if (UPDATE) {
            Files.write(Checkout.path(name), lines);
        }
        assertThat(differences).isEmpty();
    }

    private static boolean available(String programs) {
        return programs.isEmpty() || Stream.of(programs.split(", ")).allMatch(Command::installed);
    }

    private static String printed(PageShell shell, Page.Block block, Page.Step step) throws IOException {
        assertThat(step.command())
                .as("line %d: output without a command", step.line() + 1)
                .isNotEmpty();
        return block.isBackground()
                ? shell.start(step.command(), printed -> OutputComparison.matches(step.output(), printed), STARTED)
                : shell.run(step.command());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockIsExecutedOrMarked(String name) throws IOException {
        Page page = Page.read(Checkout.path(name));
        assertThat(page.lines()).hasSizeLessThanOrEqualTo(PAGE_LINES);
        assertThat(page.blocks()).allSatisfy(block -> {
            assertThat(block.language())
                    .as("line %d: language of the block", block.line() + 1)
                    .isNotEmpty();
            if (!block.isConsole() && !block.language().equals("text")) {
                assertThat(block.comments().keySet())
                        .as("line %d: file or reason", block.line() + 1)
                        .containsAnyOf("file", "not run");
            }
        });
    }

    @Test
    void skippedBlocksAreLimited() throws IOException {
        List<String> idle = new ArrayList<>();
        for (String name : pages().toList()) {
            Page.read(Checkout.path(name)).blocks().stream()
                    .filter(Page.Block::isIdle)
                    .forEach(block -> idle.add(name + ":" + (block.line() + 1) + ": " + block.comment("not run")));
        }
        assertThat(idle).hasSizeLessThanOrEqualTo(NOT_RUN).noneMatch(reason -> reason.endsWith(": "));
    }

    @ParameterizedTest(name = "{0} shows {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        yes                       | yes                       | true
        no                        | yes                       | false
        a;...;z                   | a;b;c;z                   | true
        a;...                     | a                         | true
        a                         | a;b                       | false
        "id":"...","x":1          | "id":"2fa","x":1          | true
        at 2026-01-02T03:04:05Z   | at 2027-11-12T13:14:15.6Z | true
        policy 088202959eb8-3     | policy 4f0cd9593da1-12    | true
        https://127.0.0.1:8443    | https://127.0.0.1:41777   | true
        """)
    void outputIsComparedWithoutVolatileParts(String documented, String printed, boolean same) {
        assertThat(OutputComparison.matches(List.of(documented.split(";")), printed.replace(';', '\n')))
                .isEqualTo(same);
    }
}
