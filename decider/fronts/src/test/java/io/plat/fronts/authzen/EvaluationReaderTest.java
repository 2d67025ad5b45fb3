package io.plat.fronts.authzen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluationReaderTest {
    private static final String WHOLE =
            "{\"subject\":{\"type\":\"user\",\"id\":\"a\",\"properties\":{\"z\":1,\"a\":[true,null,1.5,{\"k\":\"v\"}],\"n\":null}},"
                    + "\"action\":{\"name\":\"get\"},\"resource\":{\"type\":\"pods\",\"id\":\"x\"},\"context\":{\"c\":\"d\"},"
                    + "\"evaluations\":[{\"action\":{\"name\":\"list\"}},{\"context\":{}}],\"options\":{\"evaluations_semantic\":\"permit_on_first_permit\"},"
                    + "\"page\":{\"token\":\"t\",\"limit\":7}}";

    private static EvaluationReader.AuthZenRequest read(String text, boolean many) throws StatusException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return EvaluationReader.read(
                bytes, bytes.length, many ? EvaluationReader.EVALUATIONS : EvaluationReader.EVALUATION);
    }

    @Test
    void propertiesAreSortedAndHaveNoNulls() throws StatusException {
        Map<String, Object> properties =
                read(WHOLE, false).evaluation().subject().properties();
        assertThat(properties).containsOnlyKeys("a", "z").containsEntry("z", 1L);
        assertThat(String.valueOf(properties.get("a"))).isEqualTo("[true, 1.5, {k=v}]");
    }

    @Test
    void inheritedDefaultsAreLimited() throws StatusException {
        String groups = "\"group\",".repeat(1_900) + "\"last\"";
        String subject = "{\"subject\":{\"type\":\"user\",\"id\":\"a\",\"properties\":{\"groups\":[" + groups + "]}},";
        assertThat(read(subject + "\"evaluations\":[{},{}]}", true).inherited())
                .isBetween(2 * 1_900 * 21, 2 * 1_900 * 23);
        assertThatThrownBy(() -> read(subject + "\"evaluations\":[" + "{},".repeat(999) + "{}]}", true))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("evaluations: expected at most 2097152 characters that they take over");
        String own = subject.substring(1, subject.length() - 1);
        assertThat(read("{\"evaluations\":[{" + own + "}]}", true).inherited()).isLessThan(64);
    }

    @Test
    void evaluationsHaveTheDefaultsOfTheTop() throws StatusException {
        EvaluationReader.AuthZenRequest batch = read(WHOLE, true);
        assertThat(batch.semantic()).isEqualTo(EvaluationReader.Semantic.PERMIT_ON_FIRST_PERMIT);
        assertThat(batch.evaluations()).hasSize(2);
        assertThat(batch.evaluations().getFirst().action().id()).isEqualTo("list");
        assertThat(batch.evaluations().getFirst().context()).containsKey("c");
        assertThat(batch.evaluations().getLast().action().id()).isEqualTo("get");
        assertThat(batch.evaluations().getLast().context()).isEmpty();
        assertThat(read(WHOLE, false).evaluations()).isEmpty();
    }

    @Test
    void onlyOmittedPartsAreDefaulted() throws StatusException {
        String top = "{\"subject\":{\"type\":\"user\",\"id\":\"a\"},\"evaluations\":[%s]}";
        for (String left : List.of("{}", "{\"subject\":null}")) {
            assertThat(read(top.formatted(left), true)
                            .evaluations()
                            .getFirst()
                            .subject()
                            .id())
                    .isEqualTo("a");
        }
        EvaluationRequest empty =
                read(top.formatted("{\"subject\":{}}"), true).evaluations().getFirst();
        assertThatThrownBy(() -> EvaluationReader.require(empty, null)).hasMessage("subject.type: required");
    }

    @Test
    void aSearchHasAPage() throws StatusException {
        byte[] bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
        assertThat(EvaluationReader.read(bytes, bytes.length, EvaluationReader.SEARCH)
                        .page())
                .isEqualTo(new EvaluationReader.Page("t", 7));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"subject":1}                                       | subject: expected an object, found a number
        {"subject":{"type":"a","type":"b"}}                 | subject.type: given twice
        {"subject":{},"subject":{}}                         | subject: given twice
        {"resource":{"properties":[]}}                      | resource.properties: expected an object, found a list
        {"resource":{"properties":{"a":1,"a":2}}}           | resource.properties: a member is given twice
        {"context":{"a":1e999}}                             | context: the number is too large
        {"evaluations":[1]}                                 | evaluations[0]: expected an object, found a number
        {"evaluations":[{},{"action":{"name":[]}}]}         | evaluations[1].action.name: expected a string, found a list
        {"options":{"evaluations_semantic":"some"}}         | options.evaluations_semantic: expected execute_all, deny_on_first_deny or permit_on_first_permit, found "some"
        {} {}                                               | unexpected content after the request
        """)
    void malformedBodies(String body, String message) {
        assertThatThrownBy(() -> read(body, true))
                .isInstanceOf(StatusException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
        {}                                                                                  | -        | subject: required
        {"subject":{"id":"a"}}                                                              | -        | subject.type: required
        {"subject":{"type":"user"}}                                                         | -        | subject.id: required
        {"subject":{"type":"user"}}                                                         | SUBJECT  | action: required
        {"subject":{"type":"user","id":"a"},"action":{}}                                    | RESOURCE | action.name: required
        {"subject":{"type":"user","id":"a"}}                                                | ACTION   | resource: required
        {"subject":{"type":"user","id":"a"},"action":{"name":"b"},"resource":{"type":"c"}}  | -        | resource.id: required
        {"subject":{"type":"user","id":""},"action":{"name":"b"},"resource":{"type":"c"}}   | RESOURCE | subject.id: must not be empty
        """)
    void missingMembers(String body, Part searched, String message) throws StatusException {
        EvaluationRequest evaluation = read(body, false).evaluation();
        assertThatThrownBy(() -> EvaluationReader.require(evaluation, searched)).hasMessage(message);
    }

    @Test
    void evaluationsAndValuesAreLimited() {
        assertThatThrownBy(() -> read("{\"evaluations\":[" + "{},".repeat(1000) + "{}]}", true))
                .hasMessage("evaluations: expected at most 1000");
        String message = "expected at most 2000 values in properties or context, and 50000 in a request";
        assertThatThrownBy(() -> read("{\"context\":{\"a\":[" + "0,".repeat(2_000) + "0]}}", true))
                .hasMessage(message);
        String full = "{\"context\":{\"a\":[" + "0,".repeat(1_900) + "0]}}";
        assertThatThrownBy(() -> read("{\"evaluations\":[" + (full + ",").repeat(30) + full + "]}", true))
                .hasMessage(message);
        assertThatThrownBy(() -> read("{\"context\":{\"a\":" + "9".repeat(65) + "}}", true))
                .hasMessage("context: the number has more than 64 characters");
    }

    @Test
    void changedBytesAreReadOrRefused() {
        Random random = new Random(1);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
            for (int change = 0; change <= random.nextInt(3); change++) {
                bytes[random.nextInt(bytes.length)] = (byte)
                        (random.nextInt(4) == 0 ? random.nextInt() : WHOLE.charAt(random.nextInt(WHOLE.length())));
            }
            try {
                EvaluationReader.read(bytes, bytes.length, EvaluationReader.EVALUATIONS);
                EvaluationReader.read(bytes, bytes.length, EvaluationReader.SEARCH);
            } catch (StatusException malformed) {
                assertThat(malformed.status().code()).isEqualTo(400);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void pageTokenIsBoundToItsEvaluationAndLimit() throws StatusException {
        EvaluationRequest evaluation = read(WHOLE, false).evaluation();
        SortedSet<String> all = new TreeSet<>(List.of("a", "b:c", "d"));
        ResultPage first = ResultPage.of(Part.SUBJECT, evaluation, new EvaluationReader.Page("", 2));
        assertThat(first.select(all)).containsExactly("a", "b:c");
        String token = first.next(first.select(all), all);
        ResultPage second = ResultPage.of(Part.SUBJECT, evaluation, new EvaluationReader.Page(token, null));
        assertThat(second.select(all)).containsExactly("d");
        assertThat(second.next(second.select(all), all)).isEmpty();
        EvaluationReader.Page ofThree = new EvaluationReader.Page(token, 3);
        assertThatThrownBy(() -> ResultPage.of(Part.SUBJECT, evaluation, ofThree))
                .isInstanceOf(StatusException.class);
        EvaluationReader.Page ofTwo = new EvaluationReader.Page(token, 2);
        assertThatThrownBy(() -> ResultPage.of(Part.RESOURCE, evaluation, ofTwo))
                .isInstanceOf(StatusException.class);
    }
}
