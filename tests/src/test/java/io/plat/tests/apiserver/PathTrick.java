package io.plat.tests.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Requests of a client and their responses; the corpus is in {@code cases/paths/}.
 *
 * @param name description
 * @param bytes everything that is sent over one connection, in ISO 8859-1
 * @param isHead whether responses have no body
 * @param codes status code of each response, in order; there is no other response
 * @param requests requests to the decider, in order; there is no other one
 * @param cause reason for the expectation
 */
record PathTrick(String name, String bytes, boolean isHead, List<Integer> codes, List<String> requests, String cause) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> FIELDS =
            Set.of("name", "method", "target", "headers", "body", "bytes", "codes", "reviews", "why");

    @Override
    public String toString() {
        return name;
    }

    static List<PathTrick> corpus() {
        List<PathTrick> corpus = new ArrayList<>();
        Set<String> names = new HashSet<>();
        try (Stream<Path> files =
                Files.list(Path.of(Objects.requireNonNull(PathTrick.class.getResource("/cases/paths"), "/cases/paths")
                        .toURI()))) {
            for (Path file : files.sorted().toList()) {
                Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
                for (JsonNode each : JSON.<JsonNode>valueToTree(document)) {
                    PathTrick trick = of(each);
                    if (!names.add(trick.name())) {
                        throw new IllegalArgumentException(file + ": stands twice: " + trick.name());
                    }
                    corpus.add(trick);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        return corpus;
    }

    private static PathTrick of(JsonNode each) {
        each.fieldNames().forEachRemaining(field -> {
            if (!FIELDS.contains(field)) {
                throw new IllegalArgumentException("unknown field " + field + " in " + each);
            }
        });
        String method = each.path("method").asText("GET");
        String bytes = each.has("bytes") ? each.path("bytes").asText() : request(method, each);
        List<Integer> codes = new ArrayList<>();
        each.path("codes").forEach(code -> codes.add(code.asInt()));
        List<String> requests = new ArrayList<>();
        each.path("reviews").forEach(review -> requests.add(review.asText()));
        return new PathTrick(
                each.path("name").asText(),
                bytes,
                method.equals("HEAD"),
                codes,
                requests,
                each.path("why").asText());
    }

    private static String request(String method, JsonNode each) {
        StringBuilder request =
                new StringBuilder(method + " " + each.path("target").asText() + " HTTP/1.1\r\n");
        request.append("Host: localhost\r\n");
        each.path("headers").forEach(header -> request.append(header.asText()).append("\r\n"));
        return request.append("\r\n").append(each.path("body").asText()).toString();
    }
}
