package io.plat.engine.abac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parsing of policy files. The case tables test what lines mean. */
final class AbacFileTest {
    private static final String LINE = "{\"user\":\"jane\",\"resource\":\"pods\"}";

    @Test
    void lineNumbersIncludeCommentsAndBlankLines() throws ProblemsException {
        AbacPolicy policy = AbacFile.parse("f", "\r\n  # " + LINE + "\r\n\r\n  " + LINE + "  \r\n\t\n" + LINE);
        assertThat(policy.lines()).map(line -> line.where().line()).containsExactly(4, 6);
        assertThat(policy.lines().getFirst().text()).isEqualTo(LINE);
    }

    @Test
    void anEmptyFileIsAPolicyThatAllowsNothing() throws ProblemsException {
        AbacPolicy policy = AbacFile.parse("f", "# nothing yet\n");
        assertThat(policy.lines()).isEmpty();
        assertThat(authorizer(policy).authorize(request("jane", "get", "pods"))).isInstanceOf(Decision.NoOpinion.class);
    }

    @Test
    void linesOverTheLimitAreRefused() throws ProblemsException {
        String padding = " ".repeat(AbacFile.MAX_LINE_BYTES - LINE.length());
        String atLimit = LINE.substring(0, LINE.length() - 1) + padding + "}";
        assertThat(AbacFile.parse("f", atLimit).lines()).hasSize(1);
        String over = LINE.substring(0, LINE.length() - 1) + padding + " }";
        assertThatThrownBy(() -> AbacFile.parse("f", over)).hasMessage("f:1: line is longer than 65536 bytes");
    }

    @Test
    void problemsOfAllLinesAreReportedTogether() {
        String text = LINE + "\n{\"user\":}\n" + LINE + "\n{\"usr\":\"x\"}\n[]\n";
        assertThatThrownBy(() -> AbacFile.parse("f", text))
                .asInstanceOf(InstanceOfAssertFactories.type(ProblemsException.class))
                .extracting(ProblemsException::problems, InstanceOfAssertFactories.list(Object.class))
                .map(Object::toString)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("f:2: not valid JSON: "),
                        second -> assertThat(second).startsWith("f:4: unknown field \"usr\""),
                        third -> assertThat(third).startsWith("f:5: expected a mapping, found a list"));
    }

    @Test
    void invalidUtf8IsRefused(@TempDir Path directory) throws IOException, ProblemsException {
        Path file = directory.resolve("policy");
        Files.writeString(file, LINE.replace("jane", "jané"), StandardCharsets.UTF_8);
        assertThat(AbacFile.parse("f", SourceReader.readText(file))
                        .lines()
                        .getFirst()
                        .user())
                .isEqualTo("jané");
        Files.writeString(file, "\n" + LINE.replace("jane", "jané"), StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> AbacFile.parse("f", SourceReader.readText(file)))
                .hasMessage(file + ":2: not valid UTF-8");
        assertThatThrownBy(() -> SourceReader.readText(directory.resolve("none")))
                .hasMessageContaining("no such file");
    }

    @Test
    void grantAndReasonNameTheLine() throws ProblemsException {
        AbacPolicy policy = AbacFile.parse("conf/abac.jsonl", "# x\n" + LINE);
        assertThat(authorizer(policy).authorize(request("jane", "get", "pods")))
                .isInstanceOfSatisfying(Decision.Allow.class, allow -> {
                    assertThat(allow.grant().authorizer()).isEqualTo("ABAC");
                    assertThat(allow.grant().source()).isEqualTo("conf/abac.jsonl:2");
                    assertThat(allow.grant().rule()).isEqualTo(LINE);
                    assertThat(allow.reason()).isEqualTo("ABAC: allowed by conf/abac.jsonl:2: " + LINE);
                });
    }

    @Test
    void aLongLineIsTruncatedInTheReason() throws ProblemsException {
        String line = LINE.substring(0, LINE.length() - 1) + " ".repeat(5_000) + "}";
        Decision decision = authorizer(AbacFile.parse("f", line)).authorize(request("jane", "get", "pods"));
        assertThat(decision.reason()).hasSizeLessThan(1_100).endsWith("…");
    }

    @Test
    void decidesFromMemory() throws ProblemsException {
        AbacAuthorizer authorizer = authorizer(AbacFile.parse("f", LINE));
        for (String verb : List.of("get", "delete")) {
            Attributes attributes = request("jane", verb, "pods");
            assertThat(authorizer.decideFromMemory(attributes)).isEqualTo(authorizer.authorize(attributes));
        }
    }

    /** Every line is a policy or a problem with that line, and never another exception. */
    @Property(tries = 2_000)
    void anyTextIsAPolicyOrAProblem(@ForAll @StringLength(max = 60) @CharRange(from = ' ', to = '~') String tail) {
        String text = "{\"user\":\"x\",\"" + tail;
        try {
            assertThat(AbacFile.parse("f", text).lines()).hasSizeLessThanOrEqualTo(1);
        } catch (ProblemsException e) {
            assertThat(e.problems())
                    .allSatisfy(problem ->
                            assertThat(problem.toString()).startsWith("f:1: ").doesNotContain("\n"));
        }
    }

    @Test
    void resourceLinesDoNotCoverPathsAndViceVersa() throws ProblemsException {
        AbacPolicy policy = AbacFile.parse("f", LINE);
        Attributes path = new Attributes(new UserInfo("jane", List.of()), new NonResourceAttributes("pods", "get"));
        assertThat(authorizer(policy).authorize(path)).isInstanceOf(Decision.NoOpinion.class);
    }

    private static AbacAuthorizer authorizer(AbacPolicy policy) {
        return new AbacAuthorizer(AbacIndex.of(policy));
    }

    private static Attributes request(String user, String verb, String resource) {
        return new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes("a", verb, "", "v1", resource, "", ""));
    }
}
