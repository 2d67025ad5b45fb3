package io.plat.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.cli.process.CommandException;
import io.plat.cli.request.AccessRequestParser.Scope;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRequestParserTest {
    private static final Scope DEFAULT = new Scope("team-a", false, false, null);

    private final AccessRequestParser parser = new AccessRequestParser(ResourceTypes.builtIn());

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            # verb  | target                       | namespace | group                     | version | resource     | subresource | name
            get     | pods                         | team-a    | ''                        | ''      | pods         | ''          | ''
            get     | po                           | team-a    | ''                        | ''      | pods         | ''          | ''
            get     | pod/web-1                    | team-a    | ''                        | ''      | pods         | ''          | web-1
            get     | Pod                          | team-a    | ''                        | ''      | pods         | ''          | ''
            GET     | PODS                         | team-a    | ''                        | ''      | pods         | ''          | ''
            get     | pods/log                     | team-a    | ''                        | ''      | pods         | log         | ''
            get     | pods/web-1/log               | team-a    | ''                        | ''      | pods         | log         | web-1
            get     | pods/logger                  | team-a    | ''                        | ''      | pods         | ''          | logger
            list    | deployments                  | team-a    | apps                      | ''      | deployments  | ''          | ''
            list    | deploy                       | team-a    | apps                      | ''      | deployments  | ''          | ''
            list    | deployments.apps             | team-a    | apps                      | ''      | deployments  | ''          | ''
            list    | deployments.v1.apps          | team-a    | apps                      | v1      | deployments  | ''          | ''
            list    | deployments.extensions       | team-a    | extensions                | ''      | deployments  | ''          | ''
            update  | deployments/scale            | team-a    | apps                      | ''      | deployments  | scale       | ''
            get     | events                       | team-a    | ''                        | ''      | events       | ''          | ''
            get     | events.events.k8s.io         | team-a    | events.k8s.io             | ''      | events       | ''          | ''
            get     | nodes                        | ''        | ''                        | ''      | nodes        | ''          | ''
            get     | no/n1                        | ''        | ''                        | ''      | nodes        | ''          | n1
            list    | namespaces                   | ''        | ''                        | ''      | namespaces   | ''          | ''
            get     | ns/team-b                    | team-b    | ''                        | ''      | namespaces   | ''          | team-b
            delete  | namespaces/team-b            | team-b    | ''                        | ''      | namespaces   | ''          | team-b
            create  | roles                        | team-a    | rbac.authorization.k8s.io | ''      | roles        | ''          | ''
            create  | roles.rbac.authorization.plat.io | team-a | rbac.authorization.plat.io | ''    | roles        | ''          | ''
            create  | clusterroles                 | ''        | rbac.authorization.k8s.io | ''      | clusterroles | ''          | ''
            get     | widgets.example.com          | team-a    | example.com               | ''      | widgets      | ''          | ''
            get     | widgets.v1beta1.example.com  | team-a    | example.com               | v1beta1 | widgets      | ''          | ''
            get     | widgets                      | team-a    | ''                        | ''      | widgets      | ''          | ''
            get     | *                            | team-a    | *                         | ''      | *            | ''          | ''
            *       | *.apps                       | team-a    | apps                      | ''      | *            | ''          | ''
            impersonate | users/alice              | ''        | ''                        | ''      | users        | ''          | alice
            impersonate | groups                   | ''        | ''                        | ''      | groups       | ''          | ''
            impersonate | userextras/scopes/x      | ''        | authentication.k8s.io     | ''      | userextras   | x           | scopes
            impersonate | uids.authentication.k8s.io | ''      | authentication.k8s.io     | ''      | uids         | ''          | ''
            impersonate | serviceaccounts          | team-a    | ''                        | ''      | serviceaccounts | ''       | ''
            approve | signers/example.com          | ''        | certificates.k8s.io       | ''      | signers      | ''          | example.com
            get     | users                        | team-a    | ''                        | ''      | users        | ''          | ''
            use     | v2.example.com               | team-a    | example.com               | ''      | v2           | ''          | ''
            """)
    void parsesArgumentsAsAttributes(
            String verb,
            String target,
            String namespace,
            String group,
            String version,
            String resource,
            String subresource,
            String name) {
        assertThat(parser.parse(verb, target, DEFAULT).access())
                .isEqualTo(new ResourceAttributes(
                        namespace, verb.toLowerCase(Locale.ROOT), group, version, resource, subresource, name));
    }

    @ParameterizedTest
    @CsvSource({"get,/version,get", "GET,/metrics,get", "post,/resetMetrics,post", "get,/,get"})
    void readsPaths(String verb, String path, String expectedVerb) {
        assertThat(parser.parse(verb, path, DEFAULT).access()).isEqualTo(new NonResourceAttributes(path, expectedVerb));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            pods/log   | "log" is a subresource of pods and is checked as such; for an object of that name add --subresource=''
            """)
    void warnsAboutInterpretations(String target, String warning) {
        assertThat(parser.parse("get", target, DEFAULT).warnings()).containsExactly(warning);
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
            get  | widgets     | unknown resource type "widgets"
            get  | deploymints | unknown resource type "deploymints", did you mean "deployments"?
            gte  | pods        | unknown verb "gte", did you mean "get"?
            list | /version    | unknown verb "list"
            frob | pods        | unknown verb "frob"
            get  | pods/web/logs | pods have no subresource "logs" that is known, did you mean "log"?
            """)
    void reportsUnknownNames(String verb, String target, String unknown) {
        assertThat(parser.parse(verb, target, DEFAULT).unknown()).containsExactly(unknown);
    }

    @ParameterizedTest
    @CsvSource({
        "bind,clusterroles",
        "impersonate,users.authentication.k8s.io",
        "*,*",
        "use,pods",
        "head,/version",
        "*,/version"
    })
    void knowsTheVerbsThatAreNoRequests(String verb, String target) {
        assertThat(parser.parse(verb, target, DEFAULT).unknown()).noneMatch(line -> line.contains("verb"));
    }

    @Test
    void queriesTheServerForCustomTypes() {
        ApiResource widgets =
                new ApiResource("widgets", "example.com", false, "Widget", "widget", Set.of("wd"), Set.of("status"));
        List<@Nullable String> requested = new ArrayList<>();
        AccessRequestParser withCustomTypes = new AccessRequestParser(ResourceTypes.builtIn(), group -> {
            requested.add(group);
            return List.of(widgets);
        });
        AccessRequestParser.AccessRequest parsed = withCustomTypes.parse("get", "wd/status", DEFAULT);
        assertThat(parsed.access())
                .isEqualTo(new ResourceAttributes("", "get", "example.com", "", "widgets", "status", ""));
        assertThat(parsed.unknown()).isEmpty();
        withCustomTypes.parse("get", "pods", DEFAULT);
        withCustomTypes.parse("get", "widget.example.com", DEFAULT);
        assertThat(requested).containsExactly(null, "example.com");
    }

    @Test
    void clusterScopedTypesHaveNoNamespace() {
        AccessRequestParser.AccessRequest parsed = parser.parse("get", "nodes", new Scope("team-b", true, false, null));
        assertThat(namespaceOf(parsed)).isEmpty();
        assertThat(parsed.warnings()).containsExactly("\"nodes\" is not namespaced; --namespace is ignored");
    }

    @Test
    void allNamespacesIsAnEmptyNamespace() {
        assertThat(namespaceOf(parser.parse("list", "pods", new Scope("team-a", false, true, null))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"pods,log,log,''", "pods/web-1,log,log,web-1", "pods/log,'','',log", "pods/log,status,status,log"})
    void acceptsAnExplicitSubresource(String target, String option, String subresource, String name) {
        ResourceAttributes access =
                (ResourceAttributes) parser.parse("get", target, new Scope("team-a", false, false, option))
                        .access();
        assertThat(access.subresource()).isEqualTo(subresource);
        assertThat(access.name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods/", "pods//log", "pods/a/b/c"})
    void refusesMeaninglessArguments(String target) {
        assertRefused(target, null);
    }

    @Test
    void refusesSubresourcesOfPathsAndDuplicates() {
        assertRefused("/version", "log");
        assertRefused("pods/web-1/log", "log");
    }

    private void assertRefused(String target, @Nullable String subresource) {
        assertThatThrownBy(() -> parser.parse("get", target, new Scope("team-a", false, false, subresource)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.exitStatus()).isEqualTo(2));
    }

    private static String namespaceOf(AccessRequestParser.AccessRequest parsed) {
        return ((ResourceAttributes) parsed.access()).namespace();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | https://app.example.com/a?b=c    | get    | /a
            DELETE | HTTP://app:8080/a%20b/#c         | delete | /a b/
            GET    | https://app                      | get    | /
            GET    | https://app?b                    | get    | /
            """)
    void urlsAreReadLikeProxyChecks(String method, String url, String verb, String path) {
        assertThat(parser.parse(method, url, DEFAULT).access()).isEqualTo(new NonResourceAttributes(path, verb));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://app/a/../b", "https://app//a", "https://app/a%2fb", "https://app/a;b", "https://app/%ff"
            })
    void refusesAmbiguousUrls(String url) {
        assertThatThrownBy(() -> parser.parse("GET", url, DEFAULT))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("400");
    }
}
