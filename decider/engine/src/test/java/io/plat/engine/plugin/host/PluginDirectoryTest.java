package io.plat.engine.plugin.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PluginDirectoryTest {
    private static final String SAMPLES = SamplePlugins.class.getName() + "$";

    private final Path directory;
    private final List<String> problems = new ArrayList<>();

    PluginDirectoryTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private PluginDirectory open(Path from) {
        return PluginDirectory.open(from, Set.of("RBAC"), (Problem problem) -> problems.add(problem.toString()));
    }

    private static Decision decide(Authorizer authorizer, String user) {
        return authorizer.authorize(request(user));
    }

    private static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/version", "get"));
    }

    @Test
    void aPlugInSeesTheJdkTheInterfaceAndItsDirectory() throws IOException {
        Path jar = TestingJars.plugin(directory, "house.jar", "House");
        TestingJars.jar(directory, "library.jar", "", SAMPLES + "Library");
        Files.writeString(directory.resolve("README"), "not a jar");
        try (PluginDirectory plugins = open(directory)) {
            assertThat(problems).isEmpty();
            Authorizer house = plugins.authorizers().get("House");
            assertThat(plugins.authorizers()).containsOnlyKeys("House");
            assertThat(house).isNotNull();
            assertThat(house.decideFromMemory(request("jane")))
                    .as("it may wait")
                    .isNull();
            assertThat(decide(house, "jane")).isInstanceOfSatisfying(Decision.Allow.class, allow -> {
                assertThat(allow.reason())
                        .isEqualTo("allowed by plug-in \"House\": sees " + SAMPLES + "Library java.sql.Connection");
                assertThat(allow.grant().authorizer()).isEqualTo("House");
                assertThat(allow.grant().source()).isEqualTo(jar.toString());
            });
            assertThat(decide(house, "joe")).isEqualTo(new Decision.Deny("refused by plug-in \"House\": not jane"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Stuck", "StuckName"})
    void aHangingConstructorIsReported(String stuck) throws IOException {
        TestingJars.plugin(directory, "house.jar", "House");
        TestingJars.plugin(directory, "stuck.jar", stuck);
        PluginCalls.Limits brief = new PluginCalls.Limits(1, Duration.ofMillis(500));
        try (PluginDirectory _ =
                PluginDirectory.open(directory, Set.of(), problem -> problems.add(problem.toString()), brief)) {
            assertThat(problems)
                    .singleElement()
                    .asString()
                    .contains("the plug-ins cannot be instantiated: no end within 500 ms");
        }
    }

    @Test
    void aClosedDirectoryMakesNoCalls() throws IOException {
        TestingJars.plugin(directory, "house.jar", "House");
        Map<String, Authorizer> left;
        try (PluginDirectory plugins = open(directory)) {
            left = Map.copyOf(plugins.authorizers());
        }
        assertThat(left.values())
                .singleElement()
                .satisfies(house -> assertThat(decide(house, "jane")).isInstanceOf(Decision.Undecided.class));
    }

    @Test
    void allProblemsAreReportedAtOnce() throws IOException {
        Path missing = TestingJars.jar(directory, "a-missing.jar", "com.example.Gone", "");
        Path broken = TestingJars.plugin(directory, "b-broken.jar", "Broken");
        TestingJars.plugin(directory, "c-house.jar", "House");
        Path other = TestingJars.plugin(directory, "d-house.jar", "OtherHouse");
        Path builtIn = TestingJars.plugin(directory, "e-rbac.jar", "BuiltIn");
        Path comma = TestingJars.plugin(directory, "f-comma.jar", "Comma");
        Path nameless = TestingJars.plugin(directory, "g-nameless.jar", "Nameless");
        Path copy = TestingJars.plugin(directory, "h-copy.jar", "House");
        Path noPlugin = TestingJars.jar(directory, "i-no.jar", SAMPLES + "Library", SAMPLES + "Library");
        Path noJar = Files.writeString(directory.resolve("j-text.jar"), "text");
        Path empty = Files.writeString(directory.resolve("k-empty.jar"), "");
        Path subdirectory = Files.createDirectory(directory.resolve("l-directory.jar"));
        try (PluginDirectory plugins = open(directory)) {
            assertThat(plugins.authorizers()).containsOnlyKeys("House");
        }
        assertThat(problems)
                .allSatisfy(line -> assertThat(line.lines()).hasSize(1))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .isEqualTo(missing
                                        + ": a plug-in cannot be instantiated: Provider com.example.Gone not found"),
                        line -> assertThat(line)
                                .isEqualTo(broken + ": a plug-in cannot be instantiated: Provider " + SAMPLES
                                        + "Broken could not be instantiated: IllegalStateException: no house file"),
                        line -> assertThat(line)
                                .isEqualTo(other + ": plug-in " + SAMPLES
                                        + "OtherHouse is named \"House\", as is a plug-in in "
                                        + directory.resolve("c-house.jar")),
                        line -> assertThat(line)
                                .isEqualTo(builtIn + ": plug-in " + SAMPLES
                                        + "BuiltIn is named \"RBAC\", as a mode is that every server has"),
                        line -> assertThat(line)
                                .startsWith(
                                        comma + ": plug-in " + SAMPLES + "Comma is named \"a,b\", expected a letter"),
                        line -> assertThat(line)
                                .isEqualTo(nameless + ": plug-in " + SAMPLES
                                        + "Nameless has no name: IllegalStateException: no name"),
                        line -> assertThat(line)
                                .isEqualTo(copy + ": plug-in " + SAMPLES + "House is also in "
                                        + directory.resolve("c-house.jar")),
                        line -> assertThat(line)
                                .startsWith(noPlugin + ": a plug-in cannot be instantiated: ")
                                .contains("Library", "not a subtype"),
                        line -> assertThat(line).startsWith(noJar + ": not a jar: "),
                        line -> assertThat(line).startsWith(empty + ": not a jar: "),
                        line -> assertThat(line).isEqualTo(subdirectory + ": not a file, expected a jar"));
    }

    @Test
    void anUnloadableClassIsReported() throws IOException {
        Path jar = directory.resolve("rotten.jar");
        TestingJars.rotten(jar, "com.example.Rotten", "no class".getBytes(StandardCharsets.UTF_8));
        TestingJars.plugin(directory, "z-house.jar", "House");
        try (PluginDirectory plugins = open(directory)) {
            assertThat(plugins.authorizers()).as("the following plug-in").containsOnlyKeys("House");
        }
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith(jar + ": a plug-in cannot be instantiated: ClassFormatError: ");
    }

    @Test
    void aMissingDirectoryIsReported() throws IOException {
        Path absent = directory.resolve("absent");
        Path file = Files.writeString(directory.resolve("file"), "");
        open(absent).close();
        open(file).close();
        assertThat(problems)
                .containsExactly(
                        absent + ": cannot read: no such directory",
                        file + ": not a directory, expected a directory of jars");
    }

    @Test
    void anEmptyDirectoryHasNoPlugIns() throws IOException {
        try (PluginDirectory plugins = open(directory)) {
            assertThat(plugins.authorizers()).isEmpty();
        }
        assertThat(problems).isEmpty();
    }
}
