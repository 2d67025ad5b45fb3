package io.plat.engine.abac;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A line that is read the fast way is the one that the general reader reads. */
final class PlainLineTest {
    private static final Location WHERE = new Location("f", 7);
    private static final List<String> PARTS = List.of(
            "{",
            "\"apiVersion\"",
            ":",
            "\"abac.authorization.kubernetes.io/v1beta1\"",
            ",",
            "\"kind\"",
            ":",
            "\"Policy\"",
            ",",
            "\"spec\"",
            ":",
            "{",
            "\"user\"",
            ":",
            "\"jane\"",
            ",",
            "\"readonly\"",
            ":",
            "true",
            ",",
            "\"resource\"",
            ":",
            "\"pods\"",
            "}",
            "}");
    private static final List<String> OTHERS = List.of(
            "{",
            "}",
            ",",
            ":",
            "\"x\"",
            "\"group\"",
            "\"user\"",
            "\"*\"",
            "\"\"",
            "true",
            "null",
            "12",
            "\"a\\n\"",
            "é",
            " ",
            "[",
            "\"abac.authorization.platform.io/v1beta1\"",
            "\"spec\"",
            "\"nonResourcePath\"",
            "\"true\"",
            "x");

    @Test
    void generatedLinesAreReadByTheFastReader() {
        assertThat(new PlainLine().read(WHERE, String.join("", PARTS))).isNotNull();
    }

    @Property(tries = 10_000)
    void theFastReaderAgreesWithTheGeneralOne(@ForAll("lines") String line) throws ProblemsException {
        AbacLine plain = new PlainLine().read(WHERE, line);
        if (plain != null) {
            List<Problem> problems = new ArrayList<>();
            AbacLine general =
                    new AbacLineReader(WHERE, line, problems).read(SourceReader.readJson("f", WHERE.line(), line));
            assertThat(problems).as(line).isEmpty();
            assertThat(plain).as(line).isEqualTo(general);
        }
    }

    @Provide
    Arbitrary<String> lines() {
        Arbitrary<Integer> place = Arbitraries.integers().between(0, PARTS.size() - 1);
        return Combinators.combine(place, place, Arbitraries.of(OTHERS), Arbitraries.of(OTHERS))
                .as((one, two, first, second) -> {
                    List<String> parts = new ArrayList<>(PARTS);
                    parts.set(one, first);
                    parts.add(two, second);
                    return String.join("", parts);
                });
    }
}
