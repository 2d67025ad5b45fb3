package io.plat.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import io.plat.cli.EngineServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code plat matrix} in each format, from files and from servers. */
final class MatrixTest {
    @TempDir
    private static Path directory = Path.of("");

    private static EngineServer server;

    @BeforeAll
    static void start() throws Exception {
        String group = "\"apiGroup\":\"rbac.authorization.k8s.io\"";
        server = new EngineServer(directory)
                .with(
                        "ClusterRole",
                        "\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"nodes\"],\"verbs\":[\"get\",\"list\"]},{\"nonResourceURLs\":[\"/metrics\"],\"verbs\":[\"get\"]}]")
                .with(
                        "ClusterRole",
                        "\"metadata\":{\"name\":\"all\"},\"rules\":[{\"apiGroups\":[\"apps\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}]")
                .with(
                        "ClusterRoleBinding",
                        "\"metadata\":{\"name\":\"readers\"},\"subjects\":[{\"kind\":\"User\"," + group
                                + ",\"name\":\"alice\"},{\"kind\":\"Group\"," + group
                                + ",\"name\":\"<devs>, \\\"x\\\"\"}],\"roleRef\":{" + group
                                + ",\"kind\":\"ClusterRole\",\"name\":\"reader\"}")
                .with(
                        "RoleBinding",
                        "\"metadata\":{\"name\":\"all\",\"namespace\":\"team-a\"},\"subjects\":[{\"kind\":\"User\","
                                + group
                                + ",\"name\":\"=cmd()\"},{\"kind\":\"ServiceAccount\",\"name\":\"ci\"}],\"roleRef\":{"
                                + group
                                + ",\"kind\":\"ClusterRole\",\"name\":\"all\"}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void reset() {
        server.reset();
    }

    @Test
    void wideFormHasALetterPerVerb() {
        assertThat(server.offline("matrix --wide pods secrets deployments /metrics -n team-a"))
                .isEqualTo(new CommandRun(0, """
                    SUBJECT                           pods       secrets    deployments.apps   /metrics
                    group:<devs>, "x"                 gl------   --------   --------           g-------
                    group:system:masters              glwcupdD   glwcupdD   glwcupdD           glwcupdD
                    =cmd()                            --------   --------   glwcupdD           --------
                    alice                             gl------   --------   --------           g-------
                    system:serviceaccount:team-a:ci   --------   --------   glwcupdD           --------

                    g get, l list, w watch, c create, u update, p patch, d delete, D deletecollection
                    """, ""));
    }

    @Test
    void allTypesAreColumnsByDefault() {
        CommandRun run = server.offline("matrix -n team-a --subject alice");
        assertThat(run.out()).isEqualTo("""
            alice
                    get list watch create update patch delete delcoll
              nodes g   l    -     -      -      -     -      -
              pods  g   l    -     -      -      -     -      -
            """);
        assertThat(server.offline("matrix --wide -n team-a --subject alice").out())
                .startsWith("SUBJECT   nodes      pods\nalice     gl------   gl------\n");
        assertThat(server.offline("matrix -A --subject nobody --subject zoe").out())
                .isEqualTo("nobody, zoe has none of this access\n");
    }

    @Test
    void usersAreCheckedWithTheirGroups() {
        for (CommandRun run : List.of(
                server.offline("matrix pods -n team-a --subject zoe --as-group devs"),
                server.server().plat("matrix", "pods", "-n", "team-a", "--subject", "zoe", "--as-group", "devs"))) {
            assertThat(run.out()).isEqualTo("zoe (groups: devs) has none of this access\n");
        }
        assertThat(server.server()
                        .plat("matrix", "pods", "--subject", "zoe", "--as-group", "<devs>, \"x\"")
                        .out())
                .contains("pods g   l");
        assertThat(server.offline("matrix pods --as-group devs").status()).isEqualTo(2);
    }

    @Test
    void linesFitATerminal() {
        assertThat(server.offline("matrix -n team-a").out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void otherVerbsAreSpelledOut() {
        assertThat(server.offline("matrix deployments --wide -n team-a --verbs get,frob")
                        .out())
                .isEqualTo("""
                    SUBJECT                           deployments.apps
                    group:system:masters              get,frob
                    =cmd()                            get,frob
                    system:serviceaccount:team-a:ci   get,frob
                    """);
    }

    @Test
    void jsonHasTheAllowedCells() {
        assertThat(server.offline("matrix pods secrets -n team-a --subject alice --subject bob -o json")
                        .out()
                        .replaceAll("[ \n]", ""))
                .isEqualTo("{\"subjects\":[\"alice\",\"bob\"],\"resources\":[\"pods\",\"secrets\"],"
                        + "\"cells\":[{\"subject\":\"alice\",\"resource\":\"pods\",\"verbs\":[\"get\",\"list\"]}]}");
        assertThat(server.offline("matrix pods -n team-a --subject alice -o yaml")
                        .out())
                .isEqualTo("""
                        subjects:
                        - alice
                        resources:
                        - pods
                        cells:
                        - subject: alice
                          resource: pods
                          verbs:
                          - get
                          - list
                        """);
    }

    @Test
    void csvIsQuotedWithoutFormulas() {
        assertThat(server.offline("matrix pods deployments -n team-a -o csv").out())
                .isEqualTo("""
            subject,pods,deployments.apps
            "group:<devs>, ""x""\",get list,
            group:system:masters,get list watch create update patch delete deletecollection,get list watch create update patch delete deletecollection
            '=cmd(),,get list watch create update patch delete deletecollection
            alice,get list,
            system:serviceaccount:team-a:ci,,get list watch create update patch delete deletecollection
            """);
    }

    @Test
    void htmlIsSelfContained() {
        String page =
                server.offline("matrix pods deployments -n team-a -o html").out();
        assertThat(page)
                .startsWith("<!DOCTYPE html>\n")
                .contains(
                        "default-src 'none'",
                        "<th scope=\"row\">group:&lt;devs&gt;, &quot;x&quot;</th>"
                                + "<td class=\"some\"><abbr title=\"get list\">gl------</abbr></td><td></td>",
                        "<p>g get, l list, w watch, c create, u update, p patch, d delete, D deletecollection</p>",
                        "<th scope=\"col\"><span>pods</span></th>",
                        "<label>Show subjects with <input")
                .containsPattern("<p>Source: .*; namespace team-a; 20[0-9T:-]+Z</p>")
                .contains(
                        "<td class=\"all\"><abbr title=\"get list watch create update patch delete deletecollection\">")
                .endsWith("</html>\n")
                .doesNotContain("http://", "https://", "<devs>");
        assertThat(page.split("<script>")).hasSize(2);
    }

    @Test
    void pageRunsOnlyItsOwnScript() throws Exception {
        String page = server.offline("matrix pods -n team-a -o html").out();
        String script = page.substring(page.indexOf("<script>") + 8, page.indexOf("</script>"));
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
        assertThat(page).contains("script-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "matrix pods deployments nodes /metrics -n team-a -o json",
                "matrix pods deployments -n team-a --subject alice --subject group:system:authenticated --subject * -o"
                        + " json",
                "matrix pods deployments -A -o csv --verbs get,delete",
            })
    void serversAndFilesAgree(String words) {
        CommandRun files = server.offline(words);
        String[] arguments = words.split(" ");
        CommandRun explaining = server.server().plat(arguments);
        assertThat(explaining.out()).isEqualTo(files.out());
        assertThat(explaining.err()).isEmpty();
        server.actAsKubeApiserver();
        CommandRun stock = server.server().plat(arguments);
        assertThat(stock.out()).isEqualTo(files.out());
        assertThat(stock.err()).contains("is unknown");
    }

    @Test
    void kubeApiserverIsQueriedOnce() {
        server.actAsKubeApiserver();
        server.server().plat("matrix", "-n", "team-a");
        assertThat(server.server().requests()).hasSize(6);
    }

    @Test
    void rowsAreLimited() {
        CommandRun run = server.offline("matrix pods -n team-a --limit 1 -o csv");
        assertThat(run.out()).hasLineCount(2);
        assertThat(run.err()).isEqualTo("warning: 2 more subjects are left out; --limit 0 shows all\n");
        assertThat(server.offline("matrix pods -n team-a --limit 0").err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--limit -1,--limit", "--subject group:,--subject", "'pods//',pods//", "-o xml,xml"})
    void contradictoryArgumentsAreRefused(String words, String message) {
        CommandRun run = server.offline("matrix -n team-a " + words);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
