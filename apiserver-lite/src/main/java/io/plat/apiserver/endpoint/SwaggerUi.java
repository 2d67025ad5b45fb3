package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.HashedDocument;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code /swagger-ui/}: Swagger UI for this server's {@code /openapi/v2}. The page and its initializer replace those of the package,
 * which would load a document from the network. A content security policy restricts the browser to this server.
 */
final class SwaggerUi implements ApiEndpoint {
    private static final String ROOT = "/swagger-ui";
    private static final String PACKAGE = "META-INF/maven/org.webjars/swagger-ui/pom.properties";

    // Swagger UI sets inline styles, and has small images in its style sheet.
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private static final Map<String, String> TYPES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "page.css", "text/css; charset=utf-8",
            "start.js", "text/javascript; charset=utf-8",
            "swagger-ui-bundle.js", "text/javascript; charset=utf-8",
            "swagger-ui.css", "text/css; charset=utf-8",
            "favicon-32x32.png", "image/png");

    private final Map<String, HashedDocument> files = new ConcurrentHashMap<>();

    @Override
    public ApiResponse answer(Call call) throws StatusException {
        String path = call.info().path();
        if (path.equals(ROOT)) {
            // The page uses relative links.
            return ApiResponse.text(301, "text/plain; charset=utf-8", "").with("Location", List.of(ROOT + "/"));
        }
        String name = path.equals(ROOT + "/") ? "index.html" : path.substring(ROOT.length() + 1);
        String type = Optional.ofNullable(TYPES.get(name)).orElseThrow(ApiErrors::notFound);
        HashedDocument file = files.computeIfAbsent(name, SwaggerUi::file);
        return DocumentResponse.tagged(
                        call, file.hash(), () -> new ApiResponse(200, type, Map.of(), Body.shared(file.bytes())))
                .with("Content-Security-Policy", List.of(POLICY))
                .with("Referrer-Policy", List.of("no-referrer"));
    }

    private static HashedDocument file(String name) {
        @Nullable URL own = SwaggerUi.class.getResource("swagger-ui/" + name);
        try (InputStream file = own == null ? packaged(name) : own.openStream()) {
            return HashedDocument.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("could not read the program's own file: " + name, e);
        }
    }

    /** Opens a file of the package, which has its version in the resource path. */
    private static InputStream packaged(String name) throws IOException {
        ClassLoader loader = SwaggerUi.class.getClassLoader();
        Properties properties = new Properties();
        try (InputStream about = Objects.requireNonNull(loader.getResourceAsStream(PACKAGE), PACKAGE)) {
            properties.load(about);
        }
        String file = "META-INF/resources/webjars/swagger-ui/" + properties.getProperty("version", "") + "/" + name;
        return Objects.requireNonNull(loader.getResourceAsStream(file), file);
    }
}
