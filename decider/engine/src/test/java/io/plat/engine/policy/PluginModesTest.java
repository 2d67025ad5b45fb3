package io.plat.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Decision;
import io.plat.engine.plugin.host.TestingJars;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginModesTest {
    private final Path directory;

    PluginModesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static PolicyLoader loader(List<String> modes, PluginModes plugins) {
        return PolicyLoader.of(
                new AuthorizationOptions(modes, null, List.of(), null, "", null, false),
                plugins.sources(),
                InstantSource.system());
    }

    @Test
    void withoutADirectoryThereAreNoModes() throws IOException {
        try (PluginModes plugins = new PluginModes(null, List.of("House"))) {
            assertThat(plugins.sources()).isEmpty();
            assertThat(plugins.open()).isEmpty();
            assertThatThrownBy(() -> loader(List.of("House"), plugins))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("--authorization-mode: unknown mode \"House\"");
        }
    }

    @Test
    void modesAreCalledInTheOrderGiven() throws IOException, ProblemsException {
        TestingJars.plugin(directory, "house.jar", "House");
        List<String> modes = List.of("AlwaysDeny", "House");
        try (PluginModes plugins = new PluginModes(directory, modes)) {
            assertThat(plugins.sources()).containsOnlyKeys("House");
            PolicyLoader loader = loader(modes, plugins);
            assertThat(plugins.open()).isEmpty();
            PolicySet policy = loader.load();
            assertThat(policy.authorizer().decideFromMemory(PolicyLoaderTest.request("jane")))
                    .isNull();
            assertThat(policy.authorizer().authorize(PolicyLoaderTest.request("jane")))
                    .isInstanceOf(Decision.Allow.class);
            assertThat(policy.authorizer().authorize(PolicyLoaderTest.request("joe")))
                    .isInstanceOfSatisfying(
                            Decision.Deny.class,
                            deny -> assertThat(deny.reason()).endsWith("; refused by plug-in \"House\": not jane"));
        }
    }

    @Test
    void anUnknownModeIsReportedWithTheProvidedOnes() throws IOException {
        List<String> modes = List.of("Hous", "house");
        String begin = "--authorization-mode: unknown mode \"";
        String end = "\", expected \"AlwaysAllow\", \"AlwaysDeny\", \"ABAC\", \"RBAC\", \"Webhook\" or a plug-in of "
                + directory;
        try (PluginModes plugins = new PluginModes(directory, modes)) {
            assertThat(plugins.open()).isEmpty();
            assertThatThrownBy(loader(modes, plugins)::load)
                    .hasMessage(begin + "Hous" + end + ", which has none that can be used\n" + begin + "house" + end
                            + ", which has none that can be used");
        }
        TestingJars.plugin(directory, "house.jar", "House");
        try (PluginModes plugins = new PluginModes(directory, modes)) {
            assertThat(plugins.open()).isEmpty();
            assertThatThrownBy(loader(modes, plugins)::load)
                    .isInstanceOf(ProblemsException.class)
                    .hasMessageStartingWith(begin + "Hous" + end + ", which has \"House\"\n");
        }
    }

    @Test
    void aDirectoryIsReadEvenIfNoModeIsAPlugIn() throws IOException {
        try (PluginModes plugins = new PluginModes(directory.resolve("absent"), List.of("RBAC"))) {
            assertThat(plugins.sources()).isEmpty();
            assertThat(plugins.open())
                    .map(Problem::toString)
                    .containsExactly(directory.resolve("absent") + ": cannot read: no such directory");
        }
    }
}
