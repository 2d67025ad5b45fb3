package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.type.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists: selectors, errors, and resource versions. */
final class ListsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Api API = new Api();

    @BeforeAll
    static void fill() {
        API.given("/api/v1/namespaces", "{\"metadata\":{\"name\":\"other\"}}");
        API.given(MAPS, "{\"metadata\":{\"name\":\"plain\"}}");
        API.given(MAPS, "{\"metadata\":{\"name\":\"web\",\"labels\":{\"app\":\"web\",\"tier\":\"1\"}}}");
        API.given(MAPS, "{\"metadata\":{\"name\":\"db\",\"labels\":{\"app\":\"db\",\"tier\":\"3\",\"x.io/y\":\"\"}}}");
        API.given(
                "/api/v1/namespaces/other/configmaps",
                "{\"metadata\":{\"name\":\"web\",\"labels\":{\"app\":\"web\"}}}");
    }

    @AfterAll
    static void close() {
        API.close();
    }

    private static String names(Api.Answer list) {
        assertThat(list.code()).as(list.message()).isEqualTo(200);
        var names = new ArrayList<String>();
        list.body()
                .path("items")
                .forEach(item ->
                        names.add(item.path("metadata").path("namespace").asText() + "/"
                                + item.path("metadata").path("name").asText()));
        return String.join(" ", names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app=web | default/web",
                "app==web | default/web",
                "app!=web | default/db default/plain",
                "app | default/db default/web",
                "!app | default/plain",
                "app in (web, db) | default/db default/web",
                "app notin (web) | default/db default/plain",
                "app,tier=3 | default/db",
                "tier>1 | default/db",
                "tier<3 | default/web",
                "x.io/y= | default/db",
                "x.io/y | default/db",
                "app in () | ''",
                "app in (,web) | default/web",
            })
    void labelSelectorsFilter(String selector, String expected) {
        assertThat(names(API.list(MAPS, new ListOptions(selector, "", "", "", 0, "", null, false))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "=== | found '==', expected: !, identifier, or 'end of string'",
                "a=b, | found '', expected: identifier after ','",
                "a b | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
                "a in b | unable to parse requirement: found 'b' expected: '('",
                "a in (b | unable to parse requirement: found '', expected: ',' or ')'",
                "a=b=c | found '=', expected: ',' or 'end of string'",
                "!!a | unable to parse requirement: found '!', expected: identifier",
                "a>b | unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
            })
    void invalidLabelSelectorsAreRefused(String selector, String message) {
        Api.Answer answer = API.list(MAPS, new ListOptions(selector, "", "", "", 0, "", null, false));
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=web | default/web",
                "metadata.name==web | default/web",
                "metadata.name!=web | default/db default/plain",
                "metadata.name=web,metadata.namespace=default | default/web",
                "metadata.name=web,metadata.name=db | ''",
                "metadata.namespace=other | ''",
                "metadata.name=no\\,such | ''",
            })
    void fieldSelectorsFilter(String selector, String expected) {
        assertThat(names(API.list(MAPS, new ListOptions("", selector, "", "", 0, "", null, false))))
                .isEqualTo(expected);
    }

    @Test
    void fieldSelectorsApplyAcrossNamespaces() {
        assertThat(names(API.list(
                        "/api/v1/configmaps", new ListOptions("", "metadata.name=web", "", "", 0, "", null, false))))
                .isEqualTo("default/web other/web");
        assertThat(names(API.list(
                        "/api/v1/configmaps",
                        new ListOptions("app=web", "metadata.namespace=other", "", "", 0, "", null, false))))
                .isEqualTo("other/web");
    }

    @Test
    void typesHaveTheirOwnSelectableFields() {
        assertThat(names(API.list(
                        "/api/v1/namespaces", new ListOptions("", "status.phase=Active", "", "", 0, "", null, false))))
                .contains("/default", "/other");
        assertThat(names(API.list(
                        "/api/v1/namespaces", new ListOptions("", "status.phase!=Active", "", "", 0, "", null, false))))
                .isEmpty();
        Api.Answer answer =
                API.list("/api/v1/pods", new ListOptions("", "spec.nonsense=x", "", "", 0, "", null, false));
        assertThat(answer.message()).isEqualTo("field label not supported: spec.nonsense");
        Api.Answer malformed = API.list(MAPS, new ListOptions("", "metadata.name", "", "", 0, "", null, false));
        assertThat(malformed.message())
                .isEqualTo("invalid selector: 'metadata.name'; can't understand 'metadata.name'");
        Api.Answer escaped = API.list(MAPS, new ListOptions("", "metadata.name=a\\b", "", "", 0, "", null, false));
        assertThat(escaped.code()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
        /apis/batch/v1/jobs; field label "x" not supported for Job
        /apis/resource.k8s.io/v1/resourceslices; field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: x
        /api/v1/limitranges; "x" is not a known field selector: only "metadata.name", "metadata.namespace"
        """)
    void unknownFieldsAreRefusedInTheWordsOfTheType(String path, String message) {
        assertThat(API.list(path, new ListOptions("", "x=1", "", "", 0, "", null, false))
                        .message())
                .isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/events, reportingComponent, 200",
        "/api/v1/events, regarding.kind, 400",
        "/apis/events.k8s.io/v1/events, regarding.kind, 200",
        "/apis/events.k8s.io/v1/events, involvedObject.kind, 400",
        "/api/v1/pods, spec.host, 200",
    })
    void aVersionHasItsOwnFields(String path, String field, int code) {
        assertThat(API.list(path, new ListOptions("", field + "=1", "", "", 0, "", null, false))
                        .code())
                .isEqualTo(code);
    }

    @Test
    void everyListHasAVersionAndAnEmptyContinue() {
        ObjectNode list = API.get(MAPS).body();
        assertThat(list.path("kind").asText()).isEqualTo("ConfigMapList");
        assertThat(list.path("metadata").path("continue").isTextual()).isTrue();
        assertThat(list.path("metadata").path("continue").asText()).isEmpty();
        assertThat(list.path("metadata").path("resourceVersion").asText()).matches("[1-9][0-9]*");
        assertThat(list.path("items").path(0).has("kind")).isFalse();
    }

    @Test
    void exactResourceVersionIsHonoured() {
        String before = API.get(MAPS).metadata().path("resourceVersion").asText();
        API.given(MAPS, "{\"metadata\":{\"name\":\"later\"}}");
        var exact = new ListOptions("", "", before, "Exact", 0, "", null, false);
        assertThat(names(API.list(MAPS, exact))).isEqualTo("default/db default/plain default/web");
        var notOlder = new ListOptions("", "", before, "NotOlderThan", 0, "", null, false);
        assertThat(names(API.list(MAPS, notOlder))).contains("default/later");
        API.delete(MAPS + "/later");
        Api.Answer future = API.list(MAPS, new ListOptions("", "", "99999999", "Exact", 0, "", null, false));
        assertThat(future.code()).isEqualTo(504);
        Api.Answer nonsense = API.list(MAPS, new ListOptions("", "", "x", "", 0, "", null, false));
        assertThat(nonsense.code()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | Exact | `` | 422 | ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                        + " resourceVersionMatch is forbidden unless resourceVersion is provided",
                "0 | Exact | `` | 422 | ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                        + " resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
                "1 | Newest | `` | 422 | ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Unsupported value:"
                        + " \"Newest\": supported values: \"Exact\", \"NotOlderThan\", \"\"",
                "1 | `` | abc | 400 | specifying resource version is not allowed when using continue",
                "0 | `` | abc | 400 | invalid continue token: continue key is not valid",
                "`` | `` | * | 400 | invalid continue token: continue key is not valid",
                "99999999 | NotOlderThan | `` | 504 | Timeout: Too large resource version: 99999999, current: 9",
                "99999999 | `` | `` | 504 | Timeout: Too large resource version: 99999999, current: 9",
            })
    void contradictoryOptionsAreRefused(String version, String match, String token, int code, String message) {
        try (Api fresh = new Api()) {
            Api.Answer answer = fresh.list(MAPS, new ListOptions("", "", version, match, 0, token, null, false));
            assertThat(answer.code()).isEqualTo(code);
            assertThat(answer.message().replaceAll("current: [0-9]+", "current: 9"))
                    .isEqualTo(message);
        }
    }

    @Test
    void forgedTokenIsRejected() {
        assertThat(API.list(MAPS, new ListOptions("", "", "", "", 2, "abc", null, false))
                        .code())
                .isEqualTo(400);
    }

    @Test
    void getHonoursTheMinimumResourceVersion() {
        Target target = API.target(MAPS + "/web");
        for (String version : List.of("", "0", "1")) {
            assertThat(API.answer(() -> API.operations.get(target, version)).code())
                    .isEqualTo(200);
        }
        assertThat(API.answer(() -> API.operations.get(target, "99999999")).code())
                .isEqualTo(504);
    }
}
