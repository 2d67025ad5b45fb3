package io.plat.apiserver.endpoint;

import java.util.List;

/** {@code /ui}: where people begin who come with a browser. */
final class FirstPage {
    /** No script, no style and no picture of anybody else. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>apiserver-lite</title>
            <style>body{font-family:sans-serif;margin:3em auto;max-width:40em;line-height:1.5}</style></head>
            <body>
            <h1>apiserver-lite</h1>
            <p>A resource API server. Every request is authorized; what you may read is behind these addresses.</p>
            <ul>
            <li><a href="/version">/version</a>: what runs here</li>
            <li><a href="/api">/api</a>, <a href="/apis">/apis</a>: groups, versions and resources</li>
            <li><a href="/openapi/v3">/openapi/v3</a>, <a href="/openapi/v2">/openapi/v2</a>, <a href="/swaggerapi/">/swaggerapi/</a>: what objects look like; <a href="/swagger-ui/">/swagger-ui/</a> shows it</li>
            <li><a href="/readyz?verbose">/readyz</a>, <a href="/livez?verbose">/livez</a>: health</li>
            <li><a href="/metrics">/metrics</a>, <a href="/logs">/logs</a>, <a href="/debug">/debug</a>: how the server is doing</li>
            </ul>
            </body>
            </html>
            """;

    /** Shows the page. */
    static final Endpoint ENDPOINT = call -> Answer.text(200, "text/html; charset=utf-8", PAGE)
            .with("Content-Security-Policy", List.of(POLICY))
            .with("X-Content-Type-Options", List.of("nosniff"));

    private FirstPage() {}
}
