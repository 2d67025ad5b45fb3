package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.apiserver.representation.Body;
import io.plat.review.status.StatusException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code /swagger-ui/}: Swagger UI, as its package has it, over what this server says about itself at {@code /openapi/v2}. Page and start
 * are the server's own: the package's would have others look at a document on the network. The browser is told to speak to nobody else, and
 * to run no script that is not served here.
 */
final class SwaggerUi implements Endpoint {
    private static final String ROOT = "/swagger-ui";
    private static final String PACKAGE = "META-INF/maven/org.webjars/swagger-ui/pom.properties";

    // Swagger UI sets styles of single elements, and has its small pictures in its style sheet.
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>apiserver-lite</title>
            <link rel="stylesheet" href="swagger-ui.css">
            <link rel="icon" type="image/png" href="favicon-32x32.png">
            </head>
            <body>
            <div id="swagger-ui"></div>
            <script src="swagger-ui-bundle.js"></script>
            <script src="start.js"></script>
            </body>
            </html>
            """;

    // No validator, which would be somebody else on the network; thousands of operations are folded.
    private static final String START = """
            window.ui = SwaggerUIBundle({
              url: '/openapi/v2',
              dom_id: '#swagger-ui',
              validatorUrl: null,
              docExpansion: 'none',
              defaultModelsExpandDepth: 0,
              deepLinking: true,
              filter: true,
              presets: [SwaggerUIBundle.presets.apis],
              layout: 'BaseLayout',
            });
            """;

    private static final Map<String, String> TYPES = Map.of(
            "", "text/html; charset=utf-8",
            "index.html", "text/html; charset=utf-8",
            "start.js", "text/javascript; charset=utf-8",
            "swagger-ui-bundle.js", "text/javascript; charset=utf-8",
            "swagger-ui.css", "text/css; charset=utf-8",
            "favicon-32x32.png", "image/png");

    private final Map<String, Document> files = new ConcurrentHashMap<>();

    @Override
    public Answer answer(Call call) throws StatusException {
        String path = call.info().path();
        if (path.equals(ROOT)) {
            // What the page names is beside it.
            return Answer.text(301, "text/plain; charset=utf-8", "").with("Location", List.of(ROOT + "/"));
        }
        String name = path.substring(ROOT.length() + 1);
        String type = Optional.ofNullable(TYPES.get(name)).orElseThrow(Failures::notFound);
        Document file = files.computeIfAbsent(name, SwaggerUi::file);
        Answer answer = EntityTags.unchanged(call, file.hash())
                .orElseGet(() -> new Answer(200, type, Map.of(), Body.of(file.bytes())));
        return EntityTags.tagged(answer, file.hash())
                .with("Content-Security-Policy", List.of(POLICY))
                .with("Referrer-Policy", List.of("no-referrer"));
    }

    private static Document file(String name) {
        return switch (name) {
            case "", "index.html" -> Document.of(PAGE.getBytes(StandardCharsets.UTF_8));
            case "start.js" -> Document.of(START.getBytes(StandardCharsets.UTF_8));
            default -> Document.of(packaged("META-INF/resources/webjars/swagger-ui/" + version() + "/" + name));
        };
    }

    /** The package has its version in the names of its files. */
    private static String version() {
        try (InputStream known = new ByteArrayInputStream(packaged(PACKAGE))) {
            Properties properties = new Properties();
            properties.load(known);
            return properties.getProperty("version", "");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    private static byte[] packaged(String resource) {
        try (InputStream file = SwaggerUi.class.getClassLoader().getResourceAsStream(resource)) {
            if (file == null) {
                throw new IllegalStateException("the program's Swagger UI is missing: " + resource);
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own file can't be read: " + resource, e);
        }
    }
}
