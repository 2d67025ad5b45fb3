package io.plat.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Strategic merge patches, by the schema of deployments. */
final class StrategicMergePatchTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final TypeSchema DEPLOYMENT = ResourceCatalog.builtIn()
            .find("apps", "v1", "deployments")
            .orElseThrow()
            .schema();

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(
                    text.replaceAll("^\\{c:(.*)\\}$", "{\"spec\":{\"template\":{\"spec\":{\"containers\":$1}}}}"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode applied(String document, String patch) throws StatusException {
        return Patch.of(PatchFormat.STRATEGIC_MERGE, json(patch), List.of(), DEPLOYMENT)
                .apply((ObjectNode) json(document));
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("strategic-merge.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .map(line -> line.split(" \\| ", -1))
                            .map(row -> DynamicTest.dynamicTest(row[0], () -> {
                                if (row[3].matches("[0-9]{3} .*")) {
                                    assertThatThrownBy(() -> applied(row[1], row[2]))
                                            .isInstanceOfSatisfying(
                                                    StatusException.class,
                                                    e -> assertThat(e.status().code() + " "
                                                                    + e.status().message())
                                                            .startsWith(row[3].substring(0, 3))
                                                            .contains(row[3].substring(4)));
                                } else {
                                    // As text, since the order is significant.
                                    assertThat(applied(row[1], row[2]))
                                            .hasToString(json(row[3]).toString());
                                }
                            }))
                            .toList()
                            .stream();
        }
    }

    @Test
    void itCanBeAppliedAgain() throws StatusException {
        Patch patch = Patch.of(
                PatchFormat.STRATEGIC_MERGE,
                json("{c:[{\"name\":\"a\",\"$patch\":\"delete\"},{\"name\":\"b\",\"env\":[{\"name\":\"x\"}]}]}"),
                List.of(),
                DEPLOYMENT);
        JsonNode first = patch.apply((ObjectNode) json("{c:[{\"name\":\"a\"}]}"));
        assertThat(patch.apply((ObjectNode) json("{c:[{\"name\":\"a\"}]}"))).isEqualTo(first);
        ((ObjectNode) first.at("/spec/template/spec/containers/0/env/0")).put("name", "spoilt");
        assertThat(patch.apply((ObjectNode) json("{c:[]}")).toString()).doesNotContain("spoilt");
    }

    @Test
    void longListsTakeLinearTime() {
        var document = (ObjectNode) json("{\"spec\":{\"template\":{\"spec\":{}}}}");
        ArrayNode containers = ((ObjectNode) document.at("/spec/template/spec")).putArray("containers");
        ObjectNode patch = document.deepCopy();
        ArrayNode changes = ((ObjectNode) patch.at("/spec/template/spec")).putArray("containers");
        for (int i = 0; i < 50_000; i++) {
            containers.addObject().put("name", "c" + i);
            changes.addObject().put("name", "c" + (100_000 - i));
        }
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(Patch.of(PatchFormat.STRATEGIC_MERGE, patch, List.of(), DEPLOYMENT)
                                .apply(document)
                                .at("/spec/template/spec/containers")
                                .size())
                        .isEqualTo(100_000 - 0));
    }

    /** The patch that kubectl sends for an edited list yields that list, regardless of the previous one. */
    @Property(tries = 200)
    void setElementOrderAppliesWithDeletions(
            @ForAll @Size(max = 8) List<@net.jqwik.api.constraints.IntRange(max = 9) Integer> before,
            @ForAll @Size(max = 8) List<@net.jqwik.api.constraints.IntRange(max = 9) Integer> after)
            throws StatusException {
        List<Integer> old = before.stream().distinct().toList();
        List<Integer> desired = after.stream().distinct().toList();
        ObjectNode document = (ObjectNode) json("{c:[]}");
        ArrayNode list = (ArrayNode) document.at("/spec/template/spec/containers");
        old.forEach(n -> list.addObject().put("name", "n" + n));
        ObjectNode patch = (ObjectNode) json("{\"spec\":{\"template\":{\"spec\":{}}}}");
        ObjectNode spec = (ObjectNode) patch.at("/spec/template/spec");
        ArrayNode order = spec.putArray("$setElementOrder/containers");
        ArrayNode changes = spec.putArray("containers");
        desired.forEach(n -> {
            order.addObject().put("name", "n" + n);
            changes.addObject().put("name", "n" + n).put("image", "new");
        });
        old.stream()
                .filter(n -> !desired.contains(n))
                .forEach(n -> changes.addObject().put("name", "n" + n).put("$patch", "delete"));
        JsonNode result = Patch.of(PatchFormat.STRATEGIC_MERGE, patch, List.of(), DEPLOYMENT)
                .apply(document);
        assertThat(result.at("/spec/template/spec/containers").findValuesAsText("name"))
                .isEqualTo(desired.stream().map(n -> "n" + n).toList());
    }
}
