package io.plat.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
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

/** URL functions: {@code isURL(self.address) && url(self.address).getScheme() == 'https'}. */
final class UrlFunctions extends FunctionLibrary {
    private static final Type<URI> URL = Type.opaque("kubernetes.URL", URI.class);
    private static final Type<?> QUERY =
            new Type<>(MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)), Map.class);

    UrlFunctions() {
        global("isURL", BOOL, TEXT, text -> parse(text).isPresent());
        global("url", URL, TEXT, text -> parse(text).orElseThrow(() -> new IllegalArgumentException("not a URL")));
        member("getScheme", TEXT, URL, one -> text(one.getScheme()));
        member("getHost", TEXT, URL, UrlFunctions::host);
        member("getHostname", TEXT, URL, one -> text(one.getHost()));
        member("getPort", TEXT, URL, one -> one.getPort() < 0 ? "" : Integer.toString(one.getPort()));
        member("getEscapedPath", TEXT, URL, one -> text(one.getRawPath()));
        member("getQuery", QUERY, URL, UrlFunctions::query);
    }

    private static String text(@Nullable String part) {
        return Objects.requireNonNullElse(part, "");
    }

    /** Parses an absolute URL, or an absolute path. */
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
