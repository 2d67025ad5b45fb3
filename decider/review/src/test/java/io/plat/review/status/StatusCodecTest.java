package io.plat.review.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCodecTest {
    /** Bodies of kube-apiserver, one per line, in its order of members. */
    static List<String> failures() throws IOException {
        try (var in = Objects.requireNonNull(StatusCodecTest.class.getResourceAsStream("failures.jsonl"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void writesTheSameBytesAsKubeApiserver(String body) {
        Status status = StatusCodec.decode(bytes(body)).orElseThrow();
        assertThat(new String(StatusCodec.encode(status), StandardCharsets.UTF_8))
                .isEqualTo(body);
    }

    @Test
    void readsEveryMember() {
        Status status = StatusCodec.decode(bytes("""
                {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"m","reason":"Timeout",
                 "details":{"name":"n","group":"g","kind":"k","uid":"u","retryAfterSeconds":3,
                  "causes":[{"reason":"r","message":"c","field":"f"}]},"code":504}""")).orElseThrow();
        assertThat(status)
                .isEqualTo(new Status(
                        504,
                        StatusReason.TIMEOUT,
                        "m",
                        new Details("n", "g", "k", "u", List.of(new Cause("r", "c", "f")), 3)));
    }

    @Test
    void emptyMembersAreOmittedExceptDetails() {
        Status status = new Status(403, StatusReason.FORBIDDEN, "", null);
        assertThat(StatusCodec.encode(status)).isEqualTo(bytes("""
                {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Forbidden","code":403}"""));
        assertThat(StatusCodec.encode(status.withDetails(Details.about("", "", ""))))
                .isEqualTo(bytes("""
                {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Forbidden","details":{},"code":403}"""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "404 page not found",
                "{\"kind\":\"Status\",\"status\":\"Success\",\"code\":404}",
                "{\"kind\":\"Status\",\"code\":200}",
                "{\"kind\":\"Status\",\"code\":99999999999}",
                "{\"kind\":\"Status\",\"code\":\"404\"}",
                "{\"kind\":\"Pod\",\"code\":404}",
                "{\"kind\":\"Status\",\"code\":404}{}"
            })
    void bodiesOtherThanFailuresAreEmpty(String body) {
        assertThat(StatusCodec.decode(bytes(body))).isEmpty();
    }

    @Test
    void anUnknownReasonIsDerivedFromTheCode() {
        assertThat(reason("\"reason\":\"Teapot\",\"code\":404")).isEqualTo(StatusReason.NOT_FOUND);
        assertThat(reason("\"reason\":\"Teapot\",\"code\":418")).isEqualTo(StatusReason.BAD_REQUEST);
        assertThat(reason("\"reason\":\"Teapot\",\"code\":599")).isEqualTo(StatusReason.INTERNAL_ERROR);
        assertThat(reason("\"reason\":\"Expired\",\"code\":410")).isEqualTo(StatusReason.EXPIRED);
        assertThat(reason("\"code\":409")).isEqualTo(StatusReason.ALREADY_EXISTS);
    }

    @Test
    void membersOfAnotherTypeAreSkipped() {
        String body = "{\"x\":{\"y\":[1]},\"kind\":\"Status\",\"message\":[1],\"reason\":{\"a\":1},"
                + "\"details\":{\"name\":3,\"causes\":[1,[2],{\"field\":{},\"z\":[]}],\"retryAfterSeconds\":-1,\"q\":[]},"
                + "\"code\":404}";
        assertThat(StatusCodec.decode(bytes(body)))
                .contains(new Status(
                        404,
                        StatusReason.NOT_FOUND,
                        "",
                        new Details("", "", "", "", List.of(new Cause("", "", "")), 0)));
        assertThat(StatusCodec.decode(bytes("{\"kind\":\"Status\",\"details\":{\"causes\":{}},\"code\":404}")))
                .isPresent();
        assertThat(StatusCodec.decode(bytes("{\"kind\":\"Status\",\"details\":[],\"code\":404}"))
                        .map(Status::details))
                .isEmpty();
    }

    @Test
    void sizeAndDepthAreBounded() {
        String valid = "{\"kind\":\"Status\",\"code\":404}";
        String padding = " ".repeat(StatusCodec.MAX_BYTES - valid.length());
        assertThat(StatusCodec.decode(bytes(valid + padding))).isPresent();
        assertThat(StatusCodec.decode(bytes(valid + padding + " "))).isEmpty();
        assertThat(StatusCodec.decode(
                        bytes("{\"kind\":\"Status\",\"code\":404,\"x\":" + "[".repeat(40) + "]".repeat(40) + "}")))
                .isEmpty();
    }

    @Property
    void writtenContentCanBeReadBack(
            @ForAll StatusReason reason, @ForAll String message, @ForAll String name, @ForAll List<String> fields) {
        List<Cause> causes = fields.stream()
                .map(field -> new Cause("FieldValueInvalid", message, field))
                .toList();
        Status status = Status.of(reason, wellFormed(message))
                .withDetails(new Details(
                        wellFormed(name),
                        "g",
                        "",
                        "",
                        causes.stream()
                                .map(cause -> new Cause(
                                        cause.reason(), wellFormed(cause.message()), wellFormed(cause.field())))
                                .toList(),
                        fields.size()));
        assertThat(StatusCodec.decode(StatusCodec.encode(status))).isEqualTo(Optional.of(status));
    }

    @Property
    void anyBytesAreReadWithoutAnException(@ForAll byte[] body) {
        StatusCodec.decode(body);
    }

    private static StatusReason reason(String members) {
        return StatusCodec.decode(bytes("{\"kind\":\"Status\"," + members + "}"))
                .orElseThrow()
                .reason();
    }

    /** Unpaired surrogates cannot be encoded in UTF-8. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
