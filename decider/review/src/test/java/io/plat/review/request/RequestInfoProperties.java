package io.plat.review.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.ResourceAttributes;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;

class RequestInfoProperties {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE");

    @Property(tries = 2000)
    void parsingIsTotalForAnyText(@ForAll String path, @ForAll @Nullable String query) {
        parses("GET", path, query);
    }

    @Property(tries = 5000)
    void parsingIsTotalForPathsOfSuspiciousPieces(@ForAll("suspicious") String path) {
        ResourceRequest request = parsesResource("GET", path);
        if (request != null) {
            assertThat(request.path()).doesNotContain("//", "\\", ";", "%", "\0", "/../", "/./");
        }
    }

    @Property(tries = 2000)
    void aResourceWrittenAgainParsesToTheSame(@ForAll("suspicious") String path, @ForAll("methods") String method) {
        ResourceRequest request = parsesResource(method, path);
        if (request == null) {
            return;
        }
        ResourceRequest again = parsesResource(method, render(request));
        assertThat(again).isNotNull();
        assertThat(again.access()).isEqualTo(request.access());
        assertThat(again.tail()).isEqualTo(request.tail());
        assertThat(again.prefix()).isEqualTo(request.prefix());
    }

    @Property(tries = 2000)
    void encodingEveryByteChangesNothing(
            @ForAll @StringLength(min = 1, max = 8) @CharRange(from = 'a', to = 'z') String name)
            throws StatusException {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            encoded.append('%').append(Integer.toHexString(b));
        }
        assertThat(RequestInfo.parse("GET", "/api/v1/nodes/" + encoded, null, label -> Optional.empty()))
                .isEqualTo(RequestInfo.parse("GET", "/api/v1/nodes/" + name, null, label -> Optional.empty()));
    }

    @Provide
    Arbitrary<String> suspicious() {
        return Arbitraries.of(
                        "/",
                        "/",
                        "/",
                        "/api/v1/",
                        "/apis/apps/v1/",
                        "namespaces",
                        "pods",
                        "status",
                        "watch",
                        "proxy",
                        "a",
                        "b:1",
                        "%70",
                        "%2F",
                        "%2e",
                        ".",
                        "..",
                        ";",
                        "%00",
                        "\\",
                        "%25",
                        "é",
                        "%C3%A9",
                        " ")
                .list()
                .ofMinSize(1)
                .ofMaxSize(10)
                .map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<String> methods() {
        return Arbitraries.of(METHODS);
    }

    private static @Nullable ResourceRequest parsesResource(String method, String path) {
        return parses(method, path, null) instanceof ResourceRequest request ? request : null;
    }

    /** Returns the attributes of a target, or null if it is refused with 400. */
    private static @Nullable RequestInfo parses(String method, String path, @Nullable String query) {
        try {
            return RequestInfo.parse(method, path, query, label -> Optional.empty());
        } catch (StatusException e) {
            assertThat(e.status().code()).isEqualTo(400);
            return null;
        }
    }

    /** Returns the path that the attributes describe. */
    private static String render(ResourceRequest request) {
        ResourceAttributes access = request.access();
        List<String> segments = new ArrayList<>();
        if (access.group().isEmpty()) {
            segments.addAll(List.of("api", access.version()));
        } else {
            segments.addAll(List.of("apis", access.group(), access.version()));
        }
        if (!request.prefix().isEmpty()) {
            segments.add(request.prefix());
        }
        boolean namespaceItself =
                access.resource().equals("namespaces") && access.name().equals(access.namespace());
        if (!access.namespace().isEmpty() && !namespaceItself) {
            segments.addAll(List.of("namespaces", access.namespace()));
        }
        segments.add(access.resource());
        for (String segment : List.of(access.name(), access.subresource())) {
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        segments.addAll(request.tail());
        StringBuilder path = new StringBuilder();
        for (String segment : segments) {
            path.append('/').append(URLEncoder.encode(segment, UTF_8).replace("+", "%20"));
        }
        return path.toString();
    }
}
