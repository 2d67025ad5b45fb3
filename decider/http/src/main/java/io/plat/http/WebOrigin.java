package io.plat.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A web origin (RFC 6454): scheme, host and port.
 *
 * @param text in the form that browsers send: lower case, without the default port
 */
public record WebOrigin(String text) {
    /** Parses an origin such as {@code https://console.example.com:8443}; empty for anything else, {@code null} included. */
    public static Optional<WebOrigin> parse(String text) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            int standard = standardPort(scheme);
            if (standard < 0 || uri.getHost() == null || !isBare(uri)) {
                return Optional.empty();
            }
            String port = uri.getPort() < 0 || uri.getPort() == standard ? "" : ":" + uri.getPort();
            return Optional.of(new WebOrigin(scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }

    private static int standardPort(String scheme) {
        return switch (scheme) {
            case "https" -> 443;
            case "http" -> 80;
            default -> -1;
        };
    }

    private static boolean isBare(URI uri) {
        return uri.getRawUserInfo() == null
                && uri.getRawPath().isEmpty()
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
    }
}
