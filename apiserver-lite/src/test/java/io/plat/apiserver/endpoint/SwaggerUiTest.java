package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.filter.TestingIncoming;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwaggerUiTest {
    private final SwaggerUi ui = new SwaggerUi();

    private ApiResponse get(String target) throws StatusException {
        return ui.answer(TestingIncoming.of("GET", target).by(new UserInfo("alice", List.of())));
    }

    @ParameterizedTest
    @CsvSource({
        "/swagger-ui/,                     text/html; charset=utf-8",
        "/swagger-ui/index.html,           text/html; charset=utf-8",
        "/swagger-ui/start.js,             text/javascript; charset=utf-8",
        "/swagger-ui/swagger-ui-bundle.js, text/javascript; charset=utf-8",
        "/swagger-ui/swagger-ui.css,       text/css; charset=utf-8",
        "/swagger-ui/favicon-32x32.png,    image/png",
    })
    void servesItsFiles(String target, String type) throws StatusException {
        ApiResponse answer = get(target);
        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo(type);
        assertThat(answer.body().size()).isPositive();
        assertThat(answer.headers()
                        .getOrDefault("Content-Security-Policy", List.of(""))
                        .getFirst())
                .startsWith("default-src 'none'; script-src 'self';")
                .contains("connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("http", "unsafe-eval", "script-src 'self' 'unsafe");
    }

    /** The package has other files, and the class path many more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/swagger-ui/swagger-initializer.js",
                "/swagger-ui/oauth2-redirect.html",
                "/swagger-ui/index.html/",
                "/swagger-ui/META-INF/MANIFEST.MF",
                "/swagger-ui/x/index.html",
            })
    void otherPathsAreNotFound(String target) {
        assertThatThrownBy(() -> get(target))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        absent -> assertThat(absent.status().code()).isEqualTo(404));
    }

    @Test
    void everyReferencedFileIsServed() throws StatusException {
        Matcher named = Pattern.compile("(?:src|href)=\"((?!/)[^\"]*)\"")
                .matcher(new String(get("/swagger-ui/").body().bytes(), UTF_8));
        int count = 0;
        while (named.find()) {
            assertThat(get("/swagger-ui/" + named.group(1)).code()).isEqualTo(200);
            count++;
        }
        assertThat(count).isEqualTo(5);
    }

    @Test
    void usesThisServerAndNoValidator() throws StatusException {
        assertThat(new String(get("/swagger-ui/start.js").body().bytes(), UTF_8))
                .contains("url: '/openapi/v2'", "validatorUrl: null")
                .doesNotContain("://");
    }

    @Test
    void redirectsToTheTrailingSlash() throws StatusException {
        assertThat(get("/swagger-ui").headers()).containsEntry("Location", List.of("/swagger-ui/"));
    }
}
