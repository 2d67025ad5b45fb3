package io.plat.review.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestInfoTest {
    static List<String> cases() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RequestInfoTest.class.getResourceAsStream("requests.txt"), "requests.txt")) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void derivesTheAttributesInTheTable(String line) {
        String[] sides = line.split(" => ", -1);
        String[] request = sides[0].split(" ", 2);
        assertThat(describe(request[0], request[1])).isEqualTo(sides[1]);
    }

    @Test
    void theTableIsLargeAndNamesEachRequestOnce() throws IOException {
        List<String> requests =
                cases().stream().map(line -> line.split(" => ", -1)[0]).toList();
        assertThat(requests).hasSizeGreaterThan(100).doesNotHaveDuplicates();
    }

    private static String describe(String method, String target) {
        RequestInfo info;
        try {
            info = parse(method, target);
        } catch (StatusException e) {
            return Integer.toString(e.status().code());
        }
        return switch (info.access()) {
            case ResourceAttributes a ->
                String.join(
                        " ",
                        "resource",
                        dash(a.verb()),
                        a.group().isEmpty() ? "core" : a.group(),
                        a.version(),
                        dash(a.namespace()),
                        dash(a.resource()),
                        dash(a.subresource()),
                        dash(a.name()));
            case NonResourceAttributes a -> "path " + a.verb() + " " + a.path();
        };
    }

    private static String dash(String value) {
        return value.isEmpty() ? "-" : value;
    }

    private static RequestInfo parse(String method, String target) throws StatusException {
        int mark = target.indexOf('?');
        return mark < 0
                ? RequestInfo.parse(method, target, null, RequestInfoTest::labels)
                : RequestInfo.parse(
                        method, target.substring(0, mark), target.substring(mark + 1), RequestInfoTest::labels);
    }

    /** Parses one selector. */
    private static Optional<List<Requirement>> labels(String selector) {
        return selector.equals("a=b,c")
                ? Optional.of(
                        List.of(new Requirement("a", "In", List.of("b")), new Requirement("c", "Exists", List.of())))
                : Optional.empty();
    }

    private static ResourceRequest resource(String method, String target) throws StatusException {
        return (ResourceRequest) parse(method, target);
    }

    @Test
    void keepsTheTailAfterTheSubresource() throws StatusException {
        assertThat(resource("GET", "/api/v1/namespaces/a/pods/p/proxy/x/y").tail())
                .containsExactly("x", "y");
        assertThat(resource("GET", "/api/v1/proxy/namespaces/a/pods/p/x/y").tail())
                .containsExactly("x", "y");
        assertThat(resource("GET", "/api/v1/namespaces/a/pods/p/log").tail()).isEmpty();
        assertThat(resource("GET", "/api/v1/pods").tail()).isEmpty();
    }

    @Test
    void reportsThePrefixThatDeterminedTheVerb() throws StatusException {
        assertThat(resource("GET", "/api/v1/watch/pods").prefix()).isEqualTo("watch");
        assertThat(resource("GET", "/api/v1/proxy/nodes/n").prefix()).isEqualTo("proxy");
        assertThat(resource("GET", "/api/v1/pods?watch=1").prefix()).isEmpty();
    }

    @Test
    void passesSelectorsOfCollectionsToTheAuthorizer() throws StatusException {
        for (String method : List.of("GET", "DELETE")) {
            ResourceAttributes access = resource(
                            method, "/api/v1/pods?labelSelector=a%3Db,c&fieldSelector=spec.nodeName!%3Dn")
                    .access();
            assertThat(requirements(access.labelSelector()))
                    .containsExactly(
                            new Requirement("a", "In", List.of("b")), new Requirement("c", "Exists", List.of()));
            assertThat(requirements(access.fieldSelector()))
                    .containsExactly(new Requirement("spec.nodeName", "NotIn", List.of("n")));
        }
    }

    @Test
    void omitsSelectorsOfOtherVerbs() throws StatusException {
        for (String target : List.of(
                "/api/v1/namespaces/a/pods/p?labelSelector=a",
                "/api/v1/watch/pods?labelSelector=a",
                "/api/v1/pods?labelSelector=",
                "/api/v1/pods?labelSelector=%3D%3D",
                "/api/v1/pods")) {
            assertThat(resource("GET", target).access().labelSelector()).isNull();
        }
    }

    private static List<Requirement> requirements(@Nullable SelectorAttributes selector) {
        return selector == null ? List.of() : selector.requirements();
    }

    @Test
    void reportsTheRuleThatAPathViolates() {
        assertThatThrownBy(() -> parse("GET", "/a//b"))
                .isInstanceOf(StatusException.class)
                .hasMessage("malformed request path: it must not contain an empty segment");
        assertThatThrownBy(() -> parse("GET", "/a/%2e"))
                .hasMessage("malformed request path: it must not contain a segment \".\" or \"..\"");
        assertThatThrownBy(() -> parse("GET", "/api/v1/proxy"))
                .hasMessage("malformed request path: a resource must follow \"proxy\"");
    }

    @Test
    void limitsTheNumberOfParameters() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i <= 1000; i++) {
            pairs.add("p" + i + "=1");
        }
        assertThatThrownBy(() -> parse("GET", "/api/v1/pods?" + String.join("&", pairs)))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("more than 1000 parameters");
    }

    @Test
    void readsFormEncodedQueries() throws StatusException {
        QueryParameters query = QueryParameters.parse("a=b+c&&a=2&d=e=f&g;h=1");
        assertThat(query.first("a")).contains("b c");
        assertThat(query.values().get("a")).containsExactly("b c", "2");
        assertThat(query.first("d")).contains("e=f");
        assertThat(query.first("g;h")).contains("1");
        assertThat(query.first("x")).isEmpty();
    }
}
