package io.plat.apiserver.representation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaRangeTest {
    @Test
    void sortedByQualityThenPosition() {
        assertThat(MediaRange.accepted("a/a;q=0.5, b/b, c/c;q=0.9, d/d, e/e;q=0"))
                .extracting(MediaRange::type)
                .containsExactly("b/b", "d/d", "c/c", "a/a");
    }

    @Test
    void quotedParametersAreUnquoted() {
        MediaRange range = MediaRange.parse("Application/JSON; AS=\"Table\" ;v=v1; ; q=0.3");
        assertThat(range).isEqualTo(new MediaRange("application/json", Map.of("as", "Table", "v", "v1"), 0.3));
    }

    @ParameterizedTest
    @CsvSource({
        "*/*,              application/json, true",
        "application/*,    application/json, true",
        "application/json, application/json, true",
        "application/,     application/json, false",
        "app/*,            application/json, false",
        "text/*,           application/json, false",
        "*,                application/json, false",
    })
    void rangesIncludeTypes(String range, String type, boolean included) {
        assertThat(MediaRange.parse(range).includes(type)).isEqualTo(included);
    }

    @ParameterizedTest
    @CsvSource({
        "q=1, 1",
        "q=0.001, 0.001",
        "q=0, 0",
        "q=1.1, 1.1",
        "q=-1, 4.9E-324",
        "q=NaN, 4.9E-324",
        "q=, 4.9E-324",
        "Q=0.5, 0.5"
    })
    void malformedQualityIsIgnored(String parameter, double quality) {
        assertThat(MediaRange.parse("a/b;" + parameter).quality()).isEqualTo(quality);
    }

    @Property
    void anyHeaderIsParsed(@ForAll String header) {
        assertThat(MediaRange.accepted(header))
                .allSatisfy(range -> assertThat(range.quality()).isBetween(0.0, 1.0));
    }
}
