package io.plat.fronts.check;

import io.plat.http.authentication.Credentials;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.request.PlainPath;
import io.plat.review.request.RequestInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request that a proxy has received and has checked by the decider.
 *
 * <p>Only unambiguous paths become attributes: the path is decoded once, and anything that a backend could resolve, decode again, cut off or fold
 * into another path is refused with 400. So is a header field that could make a backend serve another method or path.
 *
 * @param method the HTTP method as sent
 * @param target the path as sent, still encoded, with the query if there is one
 * @param fields the header fields of the request
 */
public record ProxiedRequest(String method, String target, Credentials fields) {
    /** Maximum length of a path and its query, in characters. */
    static final int MAX_TARGET = 8192;

    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z-]{0,31}");

    /** Fields that frameworks use as the method. */
    private static final List<String> METHOD_OVERRIDES =
            List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

    /** Fields that servers and frameworks use as the path, as a path or a URL. */
    private static final List<String> PATH_OVERRIDES = List.of("X-Original-URL", "X-Rewrite-URL");

    private static final Pattern FOLDED = Pattern.compile("(?i)(x|ssl)[-_]");

    private static final Pattern ORIGIN = Pattern.compile("(?i)\\Ahttps?://[^/?#\\\\]*+");

    /** Form of attributes. */
    public enum PathForm {
        /** The path, and the method in lower case as the verb. */
        PATH,
        /** The resource that the path names on a Kubernetes API server; other paths as in {@link #PATH}. */
        RESOURCE
    }

    /**
     * Returns the attributes for the authorizer.
     *
     * @throws StatusException 400 if the request is ambiguous
     */
    public AccessAttributes access(PathForm form) throws StatusException {
        if (!METHOD.matcher(method).matches()) {
            throw ambiguous("the method " + Quoted.of(method) + " is malformed, expected upper case letters");
        }
        if (target.length() > MAX_TARGET) {
            throw ambiguous("the path is longer than " + MAX_TARGET + " characters");
        }
        refuseOverrides();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        requirePrintable(query);
        return switch (form) {
            case PATH -> new NonResourceAttributes(PlainPath.decode(path), method.toLowerCase(Locale.ROOT));
            case RESOURCE -> {
                // Without label requirements, a list is decided as one of all objects.
                RequestInfo info = RequestInfo.parse(method, path, query, labels -> Optional.empty());
                PlainPath.require(info.path());
                yield info.access();
            }
        };
    }

    private void refuseOverrides() throws StatusException {
        // CGI, WSGI and PHP take an underscore in a name for a hyphen.
        for (String name : fields.headerNames()) {
            if (name.indexOf('_') >= 0 && FOLDED.matcher(name).lookingAt()) {
                throw ambiguous("the field " + Quoted.of(name) + " has an underscore");
            }
        }
        for (String name : METHOD_OVERRIDES) {
            for (String value : fields.headers(name)) {
                if (!value.equalsIgnoreCase(method)) {
                    throw ambiguous(name + " names a different method than " + method);
                }
            }
        }
        for (String name : PATH_OVERRIDES) {
            for (String value : fields.headers(name)) {
                if (!ORIGIN.matcher(value).replaceFirst("").equals(target)) {
                    throw ambiguous(name + " names a different path than the request");
                }
            }
        }
        // Requests after such an upgrade would reach the backend unchecked.
        if (!fields.headers("HTTP2-Settings").isEmpty()
                || fields.headers("Upgrade").stream()
                        .anyMatch(upgrade -> upgrade.toLowerCase(Locale.ROOT).contains("h2"))) {
            throw ambiguous("upgrade to HTTP/2");
        }
        if (fields.headers("X-Forwarded-Host").size() > 1) {
            throw ambiguous("X-Forwarded-Host is sent twice");
        }
    }

    private static void requirePrintable(String query) throws StatusException {
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                throw ambiguous("the query contains a character that is not encoded");
            }
        }
    }

    static StatusException ambiguous(String cause) {
        return new StatusException(StatusReason.BAD_REQUEST, "ambiguous request: " + cause);
    }
}
