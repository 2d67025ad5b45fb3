package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedReviewsTest {
    private final ReviewCodec codec = new ReviewCodec();

    @TestFactory
    Stream<DynamicTest> everyMalformedBodyIsAnsweredWithItsProblem() throws Exception {
        return Rows.of("malformed-reviews.yaml").stream()
                .map(row -> DynamicTest.dynamicTest(row.string("name"), () -> check(row)));
    }

    private void check(SourceFields row) {
        Status status =
                refused(row.string("body").getBytes(StandardCharsets.UTF_8), Rows.expectation(row.string("at")));
        assertThat(status.code())
                .isEqualTo(Integer.parseInt(((Scalar) Objects.requireNonNull(row.node("code"))).text()));
        assertThat(status.message()).contains(row.string("message")).doesNotContain("\n", "Source:", "com.fasterxml");
        List<String> causes = status.details() == null
                ? List.of()
                : status.details().causes().stream()
                        .map(cause -> cause.field() + ": " + cause.message())
                        .toList();
        assertThat(causes).isEqualTo(row.strings("causes"));
        assertThat(status.reason()).isEqualTo(status.code() == 422 ? StatusReason.INVALID : StatusReason.BAD_REQUEST);
    }

    @Test
    void theDetailsOfAnInvalidSpecHaveItsGroup() {
        Status.Details details =
                Objects.requireNonNull(refused("{}".getBytes(StandardCharsets.UTF_8), Rows.expectation(""))
                        .details());
        assertThat(details.group()).isEqualTo("authorization.k8s.io");
        assertThat(details.kind()).isEmpty();
        assertThat(details.causes()).extracting(Status.Cause::reason).containsOnly("FieldValueInvalid");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "c3 28", // a wrong second byte
                "c0 af", // an overlong slash
                "c1 a1", // an overlong letter
                "e0 80 af", // an overlong slash in three bytes
                "ed a0 80", // an unpaired surrogate
                "f4 90 80 80", // beyond Unicode
                "ff", // no first byte
                "e2 82" // cut off
            })
    void invalidUtf8IsRefusedAnywhere(String hex) {
        String bad = new String(bytes(hex), StandardCharsets.ISO_8859_1);
        for (String body : List.of(
                "{\"spec\":{\"user\":\"" + bad + "\",\"nonResourceAttributes\":{}}}",
                "{\"unknown\":\"" + bad + "\",\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}",
                "{\"" + bad + "\":1,\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}",
                "{\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}" + bad)) {
            Status status = refused(body.getBytes(StandardCharsets.ISO_8859_1), Rows.expectation(""));
            assertThat(status.message()).isEqualTo("the body is not valid UTF-8");
            assertThat(status.code()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
    void otherEncodingsAreNotGuessed(String charset) throws Exception {
        Status status = refused(
                "{\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}".getBytes(charset), Rows.expectation(""));
        assertThat(status.code()).isEqualTo(400);
    }

    @Test
    void sizeIsBounded() throws StatusException {
        ReviewCodec small = new ReviewCodec(64);
        byte[] body = "{\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}".getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(body, 65);
        Arrays.fill(padded, body.length, padded.length, (byte) ' ');
        assertThat(small.decode(padded, 0, 64, Rows.expectation(""))).isNotNull();
        Status status = catchThrowableOfType(StatusException.class, () -> small.decode(padded, Rows.expectation("")))
                .status();
        assertThat(status).isEqualTo(ReviewCodec.tooLarge(64));
        assertThat(status.code()).isEqualTo(413);
        assertThat(status.message()).isEqualTo("Request entity too large: limit is 64");
    }

    @Test
    void depthIsBoundedInUnknownMembersToo() {
        String deep = "[".repeat(100_000);
        Status status = refused(("{\"x\":" + deep).getBytes(StandardCharsets.UTF_8), Rows.expectation(""));
        assertThat(status.code()).isEqualTo(400);
        assertThat(status.message()).contains("nesting depth");
    }

    /** The content of an unknown member is never converted, regardless of its length. */
    @Test
    void aNumberOfAnyLengthIsToleratedInAnUnknownMember() {
        String body = "{\"x\":" + "1".repeat(100_000) + "}";
        Status status = refused(body.getBytes(StandardCharsets.UTF_8), Rows.expectation(""));
        assertThat(status.message()).doesNotContain("umber");
    }

    @Test
    void lengthsOfStringsAndNamesAreBounded() {
        for (String body : List.of(
                "{\"spec\":{\"user\":\"" + "a".repeat(JsonBody.MAX_STRING + 1) + "\"}}",
                "{\"" + "a".repeat(100_000) + "\":1}")) {
            Status status = refused(body.getBytes(StandardCharsets.UTF_8), Rows.expectation(""));
            assertThat(status.code()).isEqualTo(400);
            assertThat(status.message().length()).isLessThan(500);
        }
    }

    @Test
    void messagesHaveBoundedLength() {
        String path = "/" + "x".repeat(10_000);
        Status status = refused(
                ("{\"spec\":{\"resourceAttributes\":{},\"nonResourceAttributes\":{\"path\":\"" + path + "\"}}}")
                        .getBytes(StandardCharsets.UTF_8),
                Rows.expectation(""));
        assertThat(status.message().length()).isLessThan(1_000);
    }

    @Test
    void numberOfCausesIsBounded() {
        for (String member : List.of("fieldSelector", "labelSelector")) {
            String body = "{\"spec\":{\"user\":\"a\",\"resourceAttributes\":{\"" + member + "\":{\"requirements\":[{}"
                    + ",{}".repeat(100_000) + "]}}}}";
            Status status = refused(body.getBytes(StandardCharsets.UTF_8), Rows.expectation(""));
            assertThat(status.code()).isEqualTo(422);
            assertThat(Objects.requireNonNull(status.details()).causes().size()).isBetween(100, 110);
        }
    }

    private Status refused(byte[] body, Expectation expected) {
        return catchThrowableOfType(StatusException.class, () -> codec.decode(body, expected))
                .status();
    }

    private static byte[] bytes(String hex) {
        String[] parts = hex.split(" ", -1);
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i], 16);
        }
        return bytes;
    }
}
