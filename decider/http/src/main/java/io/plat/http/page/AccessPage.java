package io.plat.http.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Files of the access page by path, and their header fields. */
public final class AccessPage {
    /** Path of the page, and prefix of its files. */
    public static final String PATH = "/ui";

    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String START = "index.html";

    /** Media types of the files other than modules; no other files are served. */
    private static final Map<String, String> TYPES = Map.of(
            START, "text/html; charset=utf-8", "style.css", "text/css; charset=utf-8", "icon.svg", "image/svg+xml");

    private static final List<String> MODULES = List.of(
            "app",
            "api",
            "cani",
            "columns",
            "dom",
            "grid",
            "live",
            "matrix",
            "subjects",
            "theme",
            "types",
            "verbs",
            "whatif",
            "why");

    /** Content security policy: only this server may be contacted, inline scripts are not executed, and the page cannot be framed. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            // Revalidated each time, usually with 304, so that a new version of the server immediately has a new page.
            "Cache-Control", "no-cache, private");

    private static final Map<String, PageFile> FILES = read();

    private AccessPage() {}

    private static Map<String, PageFile> read() {
        Map<String, PageFile> files = new LinkedHashMap<>();
        TYPES.forEach((name, type) -> files.put(PATH + "/" + name, new PageFile(type, bytes(name))));
        MODULES.forEach(name -> files.put(PATH + "/" + name + ".js", new PageFile(SCRIPT, bytes(name + ".js"))));
        PageFile start = Objects.requireNonNull(files.remove(PATH + "/" + START));
        files.put(PATH, start);
        files.put(PATH + "/", start);
        return Map.copyOf(files);
    }

    private static byte[] bytes(String name) {
        try (InputStream in = AccessPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("a file of the page is missing: " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading a file of the page", e);
        }
    }

    /**
     * Returns the file at a path, if there is one.
     *
     * @param path the path as sent, without its query
     */
    public static Optional<PageFile> at(String path) {
        return Optional.ofNullable(FILES.get(path));
    }

    /** Returns the header fields of all files, in addition to type and tag. */
    public static Map<String, String> headers() {
        return HEADERS;
    }
}
