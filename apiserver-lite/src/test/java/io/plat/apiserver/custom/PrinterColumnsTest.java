package io.plat.apiserver.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.PrinterColumns.JsonPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of custom types are bounded, regardless of what printer columns select. */
class PrinterColumnsTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static PrinterColumns columns(int count, String type, String path) {
        ObjectNode version = JSON.objectNode();
        ArrayNode columns = version.putArray("additionalPrinterColumns");
        for (int i = 0; i < count; i++) {
            columns.addObject().put("name", "c" + i).put("type", type).put("jsonPath", path);
        }
        return PrinterColumns.of(version);
    }

    private static ObjectNode large() {
        ObjectNode object = JSON.objectNode();
        object.putObject("metadata").put("name", "x");
        ObjectNode spec = object.putObject("spec");
        spec.put("t", "x".repeat(1_000_000));
        ArrayNode list = spec.putArray("l");
        for (int i = 0; i < 200_000; i++) {
            list.addObject().put("a", i);
        }
        return object;
    }

    @ParameterizedTest
    @ValueSource(strings = {".spec", ".spec.t", ".spec.l", ".spec.l[*]", ".spec.l[*].a", ".*.*", ".spec.l[?(@.a!=1)]"})
    void rowSizeIsBounded(String path) {
        List<Object> cells = columns(100, "string", path).cells(large());
        assertThat(cells).hasSize(101);
        assertThat(cells.stream()
                        .mapToInt(cell -> cell instanceof String text ? text.length() : 0)
                        .sum())
                .isLessThan(200_000);
    }

    @Test
    void hiddenElementsAreNotScannedWithoutLimit() {
        PrinterColumns columns = columns(100, "string", ".spec.l[?(@.a==-1)].b");
        ObjectNode large = large();
        assertThat(large.path("spec").path("l")).hasSize(200_000);
        columns.cells(large);
        long start = System.nanoTime();
        assertThat(columns.cells(large)).contains(Optional.empty());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(300));
    }

    @Test
    void truncatedCellsAreMarked() {
        List<Object> cells = columns(2, "string", ".spec.t").cells(large());
        assertThat((String) cells.get(1)).hasSizeGreaterThan(100_000).endsWith("x...");
        assertThat(cells.get(2)).isEqualTo("...");
    }

    @Test
    void columnsOfOldDefinitionsAreLimited() {
        assertThat(columns(1_000, "string", ".spec").columns()).hasSize(101);
    }

    @Test
    void longPathsAreIgnored() {
        assertThat(JsonPath.parse(".a".repeat(500))).isPresent();
        assertThat(JsonPath.parse(".a".repeat(200_000))).isEmpty();
    }
}
