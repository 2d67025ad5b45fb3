package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.PluginJar;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.ScriptedPlugin;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused starts with invalid plug-ins: all problems at once, one line each. */
class PluginStartTest {
    /** Each problem names its flag. */
    private static final String PLUGINS = "--authorization-plugin-dir: ";

    private static TestPki pki;

    @TempDir
    Path directory = Path.of("");

    @BeforeAll
    static void makePki() {
        pki = TestPki.create();
    }

    @AfterAll
    static void deletePki() {
        pki.close();
    }

    private List<String> flags(Program program, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        if (program == Program.APISERVER_LITE) {
            flags.add("--data-dir=" + directory.resolve("data"));
        }
        flags.addAll(List.of(more));
        return flags;
    }

    private CompletedProcess run(Program program, String... more) {
        CompletedProcess finished =
                Command.of(program, flags(program, more).toArray(String[]::new)).run();
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err()).doesNotContain("\tat ", "Caused by");
        return finished;
    }

    private Path plugin(String file, String type, String name, String constructor) {
        String source = """
            package com.example;

            import io.plat.engine.plugin.*;

            public final class %1$s implements AuthorizerPlugin {
                public %1$s() { %3$s }

                public String name() { return "%2$s"; }

                public PluginDecision authorize(RequestAttributes request) { return PluginDecision.refuse(""); }
            }
            """.formatted(type, name, constructor);
        return PluginJar.of("com.example." + type, source)
                .providing("com.example." + type)
                .write(directory.resolve(file));
    }

    @ParameterizedTest
    @EnumSource(
            value = Program.class,
            names = {"DECIDER", "APISERVER_LITE"})
    void allUnusablePluginsAreReported(Program program) throws IOException {
        ScriptedPlugin.write(directory);
        Path text = Files.writeString(directory.resolve("a.jar"), "no jar");
        Path broken =
                plugin("b.jar", "Broken", "Broken", "if (true) throw new IllegalStateException(\"no settings\");");
        Path second = plugin("n.jar", "Twin", "Moody", "");
        Path reserved = plugin("o.jar", "Abac", "ABAC", "");
        CompletedProcess finished =
                run(program, "--authorization-mode=AlwaysDeny,Mody", "--authorization-plugin-dir=" + directory);
        assertThat(finished.exitStatus()).as(finished.err()).isEqualTo(1);
        assertThat(finished.problems())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith(PLUGINS + text + ": not a jar: "),
                        line -> assertThat(line)
                                .isEqualTo(PLUGINS + broken
                                        + ": a plug-in cannot be instantiated: Provider com.example.Broken could not be "
                                        + "instantiated: IllegalStateException: no settings"),
                        line -> assertThat(line)
                                .isEqualTo(PLUGINS + second
                                        + ": plug-in com.example.Twin is named \"Moody\", as is a plug-in in "
                                        + directory.resolve("moody.jar")),
                        line -> assertThat(line)
                                .isEqualTo(PLUGINS + reserved
                                        + ": plug-in com.example.Abac is named \"ABAC\", as a mode is that"
                                        + " every server has"),
                        line -> assertThat(line)
                                .isEqualTo("--authorization-mode: unknown mode \"Mody\", expected \"AlwaysAllow\", "
                                        + "\"AlwaysDeny\", \"ABAC\", \"RBAC\", \"Webhook\" or a plug-in of " + directory
                                        + ", which has \"Moody\""));
    }

    @ParameterizedTest
    @EnumSource(
            value = Program.class,
            names = {"DECIDER", "APISERVER_LITE"})
    void missingDirectoryIsStatusOne(Program program) {
        Path policy = directory.resolve("absent.jsonl");
        Path plugins = directory.resolve("absent");
        CompletedProcess finished = run(
                program,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy,
                "--authorization-plugin-dir=" + plugins);
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.problems())
                .containsExactlyInAnyOrder(
                        PLUGINS + plugins + ": cannot read: no such directory",
                        "--authorization-policy-file: " + policy + ": cannot read: no such file");
    }

    @ParameterizedTest
    @EnumSource(
            value = Program.class,
            names = {"DECIDER", "APISERVER_LITE"})
    void pluginNameWithoutADirectoryIsAUsageError(Program program) {
        CompletedProcess finished = run(program, "--authorization-mode=Moody");
        assertThat(finished.exitStatus()).isEqualTo(2);
        assertThat(finished.err()).startsWith("--authorization-mode: unknown mode \"Moody\", expected one of ");
        assertThat(finished.problems()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Moody", "none"})
    void unusedPluginDirectoryIsAWarning(String provided) {
        if (provided.equals("Moody")) {
            ScriptedPlugin.write(directory);
        }
        List<String> flags =
                flags(Program.DECIDER, "--authorization-mode=AlwaysDeny", "--authorization-plugin-dir=" + directory);
        try (RunningServer server = RunningServer.start(Program.DECIDER, flags)) {
            await().until(() -> server.err().contains("WARN"));
            assertThat(server.err().lines().filter(line -> line.contains("WARN")))
                    .singleElement()
                    .asString()
                    .endsWith("no authorization mode is a plug-in of --authorization-plugin-dir: directory=" + directory
                            + " provided=" + provided);
            assertThat(server.terminate()).isZero();
        }
    }

    @Test
    void helpListsTheFlag() {
        assertThat(Stream.of(Program.DECIDER, Program.APISERVER_LITE)
                        .map(program -> Command.reused(program, "--help").run().out()))
                .allSatisfy(help -> assertThat(help).contains("--authorization-plugin-dir=DIR", "name of a plug-in"));
    }
}
