package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** A text read in place results in the same events, positions and errors as with the library's reader. */
class TextWindowTest {
    private static List<String> events(StreamReader reader) {
        List<String> events = new ArrayList<>();
        try {
            var parser = new ParserImpl(reader, new LoaderOptions());
            while (true) {
                Event event = parser.getEvent();
                if (event == null) {
                    return events;
                }
                events.add(event + "@" + event.getStartMark().getLine() + ":"
                        + event.getStartMark().getColumn() + "-"
                        + event.getEndMark().getIndex());
            }
        } catch (YAMLException e) {
            String message = String.valueOf(e.getMessage());
            events.add(e.getClass().getSimpleName() + ": "
                    + message.lines().findFirst().orElse(""));
            return events;
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "a",
                        "b c",
                        ": ",
                        "- ",
                        "? ",
                        "\n",
                        "\r\n",
                        "\r",
                        "  ",
                        "\"",
                        "'",
                        "\\\\",
                        "\\n",
                        "#",
                        "|\n",
                        ">-\n",
                        "[",
                        "]",
                        "{",
                        "}",
                        ",",
                        "&x ",
                        "*x",
                        "!t ",
                        "---\n",
                        "...\n",
                        "%YAML 1.1\n",
                        "\t",
                        "\u0085",
                        "\u2028",
                        "\uFEFF",
                        "\u00e4",
                        "\ud83d\ude00",
                        "\ud83d",
                        "\u0007",
                        "x".repeat(1100))
                .list()
                .ofMaxSize(40)
                .map(words -> String.join("", words));
    }

    @Property(tries = 4000)
    void readsLikeTheLibrary(@ForAll("texts") String text) {
        List<String> expected = events(new StreamReader(text));
        List<String> seen = events(new TextWindow(text));
        // The library detects a forbidden character up to one block earlier.
        if (expected.getLast().startsWith("ReaderException") || seen.getLast().startsWith("ReaderException")) {
            assertThat(seen.getLast()).contains("Exception");
        } else {
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Test
    void invalidCharactersAreReportedWithTheirLocation() {
        assertThatThrownBy(() -> new TextWindow("a\u0007").forward(3))
                .isInstanceOfSatisfying(
                        ReaderException.class, e -> assertThat(e.getPosition()).isEqualTo(1));
    }
}
