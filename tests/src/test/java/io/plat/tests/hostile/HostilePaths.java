package io.plat.tests.hostile;

import java.util.Random;

/** Spellings of the path of a forbidden object, including through allowed paths. */
final class HostilePaths {
    private static final String[] SLASHES = {
        "/", "//", "%2f", "%2F", "/./", "/%2e/", "\\", "%5c", "/;/", "/;a=b/", "%c0%af", "/\u0000/", "%00/", "/%252f/"
    };
    private static final String[] DETOURS = {
        "",
        "/version/..",
        "/version/%2e%2e",
        "/version;/..",
        "/api/v1/namespaces/open/configmaps/../../../../..",
        "https://localhost",
        "https://admin@localhost",
        "http://127.0.0.1:1",
        "*",
        "/healthz/..%2f..",
        "/openapi/v2/../.."
    };
    private static final String[] ENDS = {
        "",
        "/",
        "?",
        "?watch=0",
        "#/version",
        ";/version",
        "%20",
        ".",
        "/.",
        "/..;/secret",
        "?limit=-1&limit=x",
        "?a=%zz",
        "%0d%0aX:%20y"
    };

    private HostilePaths() {}

    /** None of them is an allowed path for a strict parser. */
    static String random(Random random) {
        String[] segments = {"api", "v1", "namespaces", "closed", "configmaps", "secret"};
        var path = new StringBuilder(Http1Requests.pick(random, DETOURS));
        int odd = random.nextInt(segments.length);
        for (int i = 0; i < segments.length; i++) {
            path.append(i == odd || random.nextInt(8) == 0 ? Http1Requests.pick(random, SLASHES) : "/");
            path.append(random.nextInt(6) == 0 ? spelled(segments[i], random) : segments[i]);
        }
        return path.append(Http1Requests.pick(random, ENDS)).toString();
    }

    private static String spelled(String segment, Random random) {
        int at = random.nextInt(segment.length());
        String odd = switch (random.nextInt(4)) {
            case 0 -> "%%%02x".formatted((int) segment.charAt(at));
            case 1 -> "%%25%02x".formatted((int) segment.charAt(at));
            case 2 -> String.valueOf(Character.toUpperCase(segment.charAt(at)));
            default -> "%u00" + Integer.toHexString(segment.charAt(at));
        };
        return segment.substring(0, at) + odd + segment.substring(at + 1);
    }
}
