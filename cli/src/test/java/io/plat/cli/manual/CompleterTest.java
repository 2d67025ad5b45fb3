package io.plat.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.cli.CommandRun;
import io.plat.cli.ScriptedServer;
import io.plat.cli.ScriptedServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Candidates for shells. An underscore means the empty word. */
final class CompleterTest {
    /** Names that a shell or a terminal would interpret. */
    private static final String HOSTILE = Stream.of(
                    "team-$(id)", "team-`id`", "team-;id", "team-a b", "team-\\u202e", "team-*", "team-\\n:0", "TEAM")
            .map(name -> "{\"metadata\":{\"name\":\"" + name + "\"}}")
            .collect(Collectors.joining(","));

    @TempDir
    private static Path directory = Path.of("");

    private static ScriptedServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new ScriptedServer(directory, requested -> switch (requested.target()) {
            case "GET /api/v1/namespaces?limit=500" ->
                new Reply(
                        200,
                        "{\"items\":[{\"metadata\":{\"name\":\"team-a\"}},{\"metadata\":{\"name\":\"team-b\"}},{\"metadata\":{\"name\":\"x\"}},"
                                + HOSTILE + "]}");
            case "GET /apis" ->
                new Reply(
                        200,
                        "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":\"example.com\"},\"versions\":[{\"resources\":"
                                + "[{\"resource\":\"widgets\",\"scope\":\"Cluster\",\"subresources\":[{\"subresource\":\"spin\"},{\"subresource\":\"$(id)\"}]},"
                                + "{\"resource\":\"wid$(id)\"},{\"resource\":\"wid;id\"},{\"resource\":\"wid\\u202e\"}]}]}]}");
            default -> Reply.refusal(404, "NotFound", "no");
        });
        Files.writeString(directory.resolve("two.conf"), """
            apiVersion: v1
            kind: Config
            contexts:
            - {name: one, context: {cluster: c, user: u}}
            - {name: other, context: {cluster: c, user: u}}
            - {name: o$(id), context: {cluster: c, user: u}}
            """);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<String> complete(String words) {
        List<String> arguments = new ArrayList<>(List.of("__complete"));
        for (String word : List.of(words.split(" "))) {
            arguments.add(word.equals("_") ? "" : word.replace("DIRECTORY", directory.toString()));
        }
        CommandRun run = CommandRun.plat(arguments.toArray(String[]::new));
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out().lines().toList();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        can                       | can-i :4
        wh                        | who-can whoami why :4
        pki i                     | init issue :4
        --kubeconfig f can-i d    | delete deletecollection :4
        can-i get po              | poddisruptionbudgets pods podtemplates :4
        can-i get pods/l          | pods/log :4
        can-i get deployments/    | deployments/scale deployments/status :4
        can-i --wait-for _        | allow deny :4
        can-i --wait-for=d        | --wait-for=deny :4
        -o y                      | yaml :4
        matrix -o _               | csv html json text yaml :4
        matrix --output=h         | --output=html :4
        can-i get pods --sub      | --subresource :4
        can-i get pods --subresource l | log :4
        completion _              | bash fish zsh :4
        man who                   | who-can whoami :4
        can-i get pods extra      | :4
        nonsense --x=_            | :4
        can-i --as _              | :4
        can-i -f _                | :0
        can-i --authorization-rbac-path _ | :0
        --kubeconfig _            | :0
        pki show _                | :0
        --context --kubeconfig    | :4
        --kubeconfig DIRECTORY/two.conf --context o | one other :4
        --kubeconfig DIRECTORY/absent --context _ | :4
        can-i -n _                | :4
        """)
    void completes(String words, String lines) {
        assertThat(String.join(" ", complete(words))).isEqualTo(lines);
    }

    @Test
    void completesCommandAndGlobalFlags() {
        assertThat(complete("can-i --"))
                .contains("--as", "--list", "--kubeconfig", "--output", "--v", ":4")
                .doesNotContain("--suggest");
        assertThat(complete("why --su")).containsExactly("--subresource", "--suggest", ":4");
    }

    @Test
    void completesNamespacesAndTypesFromTheServer() {
        String flags = String.join(" ", server.with());
        assertThat(complete("can-i " + flags + " get pods -n team")).containsExactly("team-a", "team-b", ":4");
        assertThat(complete(flags + " can-i get pods --namespace=team-"))
                .containsExactly("--namespace=team-a", "--namespace=team-b", ":4");
        assertThat(complete(flags + " why get wid")).containsExactly("widgets", ":4");
        assertThat(complete(flags + " why get widgets/")).containsExactly("widgets/spin", ":4");
    }

    /** The completed command line has each candidate unchanged, with any characters. */
    @Test
    void bashCandidatesAreQuoted() throws Exception {
        String plat = "printf '%s\\n' 'a$(echo run)' 'a;b' '`echo run`' \"a'b\" 'a b' :4;";
        assertThat(bash(plat, "plat can-i get ", "eval \"printf '%s|' $each\""))
                .isEqualTo("a$(echo run)|a;b|`echo run`|a'b|a b|");
    }

    /** A process per key would be too slow for interactive use. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        'plat wh'                 | why (Explain which rule allows an action);who-can (List all users, groups and service accounts that a);whoami (Show your user name and groups as the server sees );
        'plat can-i --as'         | --as (user to check instead of yourself);--as-group (group of the user, repeatable; the groups of every);
        'plat --context c pki r'  | renew;
        'plat can-i --kubec'      | --kubeconfig;
        'plat can-i --as --as-g'  |
        'plat why p'              | patch;
        'plat can-i get p'        |
        """)
    void bashCompletesCommandsAndFlagsWithoutTheProgram(String line, @Nullable String completed) throws Exception {
        assertThat(bash("echo called;", line, "printf '%s;' \"$each\"").replaceAll(" +", " "))
                .isEqualTo(Objects.requireNonNullElse(completed, ""));
    }

    /** Completes a line, and runs a command for each candidate. */
    private static String bash(String plat, String line, String each) throws Exception {
        Path script = Files.writeString(
                directory.resolve("bash"), CommandRun.plat("completion", "bash").out());
        assumeThat(Files.isExecutable(Path.of("/bin/bash"))).isTrue();
        Process bash = new ProcessBuilder(
                        "/bin/bash",
                        "--norc",
                        "-c",
                        "source \"$0\"; plat() { " + plat + " }; COMP_LINE=$1; COMP_POINT=${#1};"
                                + "read -ra COMP_WORDS <<< \"$1\"; [[ $1 != *' ' ]] || COMP_WORDS+=('');"
                                + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _plat_complete;"
                                + "for each in \"${COMPREPLY[@]}\"; do " + each + "; done",
                        script.toString(),
                        line)
                .redirectErrorStream(true)
                .start();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void everyShellHasAScript(String shell) {
        CommandRun run = CommandRun.plat("completion", shell);
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("__complete", "\nplat whoami Show your user name", "\ncan-i --as= user to check")
                .doesNotContain("\t", "\r", "@WORDS@");
    }

    @Test
    void anotherShellIsRefused() {
        assertThat(CommandRun.plat("completion", "tcsh").status()).isEqualTo(2);
    }
}
