package io.plat.apiserver.endpoint;

/** Paths that are no resource. */
final class Paths {
    private Paths() {}

    /** The path without the slash at its end; the root stays what it is. */
    static String withoutTrailingSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
