package io.plat.apiserver.custom.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionOverload;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** URLs in rules, as existing servers have them: {@code isURL(self.address) && url(self.address).getScheme() == 'https'}. */
final class UrlFunctions extends FieldLibrary {
    private static final CelType URL = OpaqueType.create("kubernetes.URL");
    private static final CelType QUERY = MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING));

    /** Behind what it is made of. */
    static final UrlFunctions INSTANCE = new UrlFunctions();

    private UrlFunctions() {
        function(
                "isURL",
                false,
                SimpleType.BOOL,
                SimpleType.STRING,
                String.class,
                text -> parse(text).isPresent());
        function(
                "url",
                false,
                URL,
                SimpleType.STRING,
                String.class,
                text -> parse(text).orElseThrow(() -> new IllegalArgumentException("not a URL")));
        part("getScheme", one -> text(one.getScheme()));
        part("getHost", UrlFunctions::host);
        part("getHostname", one -> text(one.getHost()));
        part("getPort", one -> one.getPort() < 0 ? "" : Integer.toString(one.getPort()));
        part("getEscapedPath", one -> text(one.getRawPath()));
        function("getQuery", true, QUERY, URL, URI.class, UrlFunctions::query);
    }

    private void part(String name, CelFunctionOverload.Unary<URI> body) {
        function(name, true, SimpleType.STRING, URL, URI.class, body);
    }

    private static String text(@Nullable String part) {
        return Objects.requireNonNullElse(part, "");
    }

    /** An absolute URL, or an absolute path. */
    private static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            boolean path = !url.isAbsolute() && text.startsWith("/");
            boolean whole = url.isAbsolute() && !url.isOpaque();
            return path || whole ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String host(URI url) {
        String host = text(url.getHost());
        return url.getPort() < 0 ? host : host + ":" + url.getPort();
    }

    private static Object query(URI url) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        String text = text(url.getRawQuery());
        for (String pair : text.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                query.computeIfAbsent(decoded(name), one -> new ArrayList<>()).add(decoded(value));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
