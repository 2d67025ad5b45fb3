package io.plat.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.review.status.Status;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors repeat a bounded part of the client's input, in every member. */
class CausesTest {
    private static final String LONG = "x".repeat(100_000);
    /** As an error, 60 KB: each of the causes would exceed the bound of all. */
    private static final List<String> MANY = Collections.nCopies(10_000, "name");

    static Stream<BiConsumer<Causes, FieldPath>> errors() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        MANY.forEach(list::add);
        return Stream.of(
                (causes, at) -> causes.field(at.toString(), "v").notSupported(MANY),
                (causes, at) -> causes.notSupported(at, LONG, MANY),
                (causes, at) -> causes.field(at.toString(), LONG).invalid("no"),
                (causes, at) -> causes.invalid(at, "v", LONG),
                (causes, at) -> causes.invalid(at, FieldErrorMessages.shown(list), LONG),
                (causes, at) -> causes.name(at, "v", MANY),
                (causes, at) -> causes.duplicate(at, LONG),
                (causes, at) -> causes.required(at, LONG),
                (causes, at) -> causes.forbidden(at.key(LONG), "no"),
                (causes, at) -> causes.add("R", LONG, at.toString()),
                (causes, at) -> causes.add("R", LONG, at));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void totalSizeOfErrorsIsBounded(BiConsumer<Causes, FieldPath> error) {
        var causes = new Causes();
        for (int i = 0; i < 1000; i++) {
            error.accept(causes, FieldPath.ROOT.field("f").at(i));
        }
        assertThat(causes.list().stream().mapToInt(CausesTest::size).sum()).isBetween(1, 400_000);
        assertThat(causes.list()).hasSizeLessThanOrEqualTo(Causes.MAX_CAUSES);
    }

    private static int size(Status.Cause cause) {
        return cause.message().length() + cause.field().length();
    }

    @Test
    void valuesAreWrittenUpToTheShownLength() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode().add("a").add(1);
        assertThat(FieldErrorMessages.shown(list)).isEqualTo("[\"a\",1]");
        MANY.forEach(list::add);
        assertThat(FieldErrorMessages.shown(list))
                .startsWith("[\"a\",1,\"name\"")
                .hasSizeLessThan(2000);
    }
}
