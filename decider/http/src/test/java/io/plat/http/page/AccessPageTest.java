package io.plat.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the page, and their contents. */
class AccessPageTest {
    private static final Pattern REFERENCE = Pattern.compile("(?:from|src=|href=) ?\"([^\"#]+)\"");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ui           | text/html; charset=utf-8
            /ui/          | text/html; charset=utf-8
            /ui/app.js    | text/javascript; charset=utf-8
            /ui/style.css | text/css; charset=utf-8
            /ui/icon.svg  | image/svg+xml
            """)
    void filesHaveTheirTypes(String path, String type) {
        assertThat(AccessPage.at(path))
                .hasValueSatisfying(file -> assertThat(file.contentType()).isEqualTo(type));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/u",
                "/uix",
                "/ui/index.html",
                "/ui//app.js",
                "/ui/../ui/app.js",
                "/ui/..%2fapp.js",
                "/ui/%61pp.js",
                "/ui/app.js/",
                "/ui/AccessPage.class",
                "/ui/package-info.class",
                "/ui/APP.JS",
                "/ui/app.js\0",
                "/ui/app.js;x"
            })
    void nothingElseIsAFile(String path) {
        assertThat(AccessPage.at(path)).isEmpty();
    }

    @Test
    void everyReferenceIsToAFileOfThePage() {
        for (String text : List.of(text("/ui"), text("/ui/app.js"), text("/ui/matrix.js"), text("/ui/style.css"))) {
            Matcher references = REFERENCE.matcher(text);
            while (references.find()) {
                assertThat(AccessPage.at(references.group(1)))
                        .as(references.group(1))
                        .isPresent();
            }
        }
    }

    /** Otherwise only a browser would notice that a file is missing in the list. */
    @Test
    void everyFileInTheDirectoryIsServed() throws Exception {
        Set<String> forgotten = new TreeSet<>();
        for (Path file : directory()) {
            String name = String.valueOf(file.getFileName());
            String path = name.equals("index.html") ? "/ui" : "/ui/" + name;
            if (!name.endsWith(".class") && AccessPage.at(path).isEmpty()) {
                forgotten.add(name);
            }
        }
        assertThat(forgotten).isEmpty();
    }

    private static List<Path> directory() throws Exception {
        try (Stream<Path> files = Files.list(sources())) {
            return files.toList();
        }
    }

    /** Returns the directory in the checkout, as the tested files may be in a jar. */
    private static Path sources() throws URISyntaxException {
        Path at = Path.of(AccessPageTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        while (!Files.isDirectory(at.resolve("src/main/resources"))) {
            at = Objects.requireNonNull(at.getParent());
        }
        return at.resolve("src/main/resources/io/plat/http/page");
    }

    @Test
    void pagesNeitherInsertMarkupNorEvaluateText() throws Exception {
        for (Path file : directory()) {
            assertThat(Files.readString(file))
                    .as(file.toString())
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function")
                    .doesNotContainPattern("https?://(?!www\\.w3\\.org/)")
                    .doesNotContainPattern("<script(?! type=\"module\" src=\"/ui/app.js\"></script>)")
                    .doesNotContainPattern(" (style|onclick|onload|onerror)=\"");
        }
    }

    @Test
    void theContentSecurityPolicyIsStrict() {
        assertThat(AccessPage.headers().get("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .contains("connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
                .contains("require-trusted-types-for 'script'")
                .doesNotContain("unsafe", "data:", "blob:", "*", "http");
    }

    @Test
    void tagsDependOnTheContent() {
        PageFile one = new PageFile("text/css", new byte[] {1});
        PageFile same = new PageFile("text/css", new byte[] {1});
        PageFile other = new PageFile("text/css", new byte[] {2});
        assertThat(one.tag()).isEqualTo(same.tag()).isNotEqualTo(other.tag()).matches("[0-9a-f]{32}");
        assertThat(one.isKnownBy("\"" + one.tag() + "\"")).isTrue();
        assertThat(one.isKnownBy("W/\"x\", W/\"" + one.tag() + "\"")).isTrue();
        assertThat(one.isKnownBy("*")).isTrue();
        assertThat(one.isKnownBy("")).isFalse();
        assertThat(one.isKnownBy(one.tag())).isFalse();
        assertThat(one.isKnownBy("\"" + other.tag() + "\"")).isFalse();
    }

    private static String text(String path) {
        return new String(AccessPage.at(path).orElseThrow().bytes(), StandardCharsets.UTF_8);
    }
}
