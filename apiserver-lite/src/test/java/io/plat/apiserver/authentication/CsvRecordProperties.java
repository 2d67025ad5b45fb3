package io.plat.apiserver.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.authentication.TokenTable.CsvReader;
import io.plat.apiserver.authentication.TokenTable.CsvRecord;
import io.plat.review.source.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CsvRecordProperties {
    @Property
    void quotedFieldsRoundTrip(@ForAll("records") List<List<String>> records) {
        String text = records.stream()
                .map(fields -> fields.stream()
                        .map(field -> '"' + field.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n"));
        List<Problem> problems = new ArrayList<>();
        List<CsvRecord> read = new CsvReader(text).records("f", problems);
        assertThat(problems).isEmpty();
        assertThat(read).extracting(CsvRecord::fields).isEqualTo(records);
    }

    @Property
    void anyTextIsParsedOrRejected(@ForAll("texts") String text) {
        List<Problem> problems = new ArrayList<>();
        List<CsvRecord> read = new CsvReader(text).records("f", problems);
        long lines = text.chars().filter(c -> c == '\n').count() + 1;
        assertThat(read).allSatisfy(record -> assertThat((long) record.line()).isBetween(1L, lines));
        assertThat(problems)
                .allSatisfy(problem -> assertThat((long) problem.where().line()).isBetween(1L, lines));
    }

    @Provide
    Arbitrary<List<List<String>>> records() {
        return Arbitraries.strings()
                .withChars("ab,\"\n ")
                .ofMaxLength(6)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .list()
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("ab,\"\r\n ").ofMaxLength(40);
    }
}
