package io.plat.review.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.ChangeReview;
import io.plat.review.PolicyTextReview;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeCodecTest {
    private static final ChangeCodec CODEC = new ChangeCodec(1000);

    private static ChangeReview change(String body) throws StatusException {
        return CODEC.change(body.getBytes(UTF_8), ReviewVersion.K8S_V1);
    }

    @Test
    void requestsAreRead() throws StatusException {
        assertThat(
                        change(
                                "{\"spec\":{\"manifests\":\"a\\n\",\"whole\":true,\"lines\":\"\",\"more\":{}},\"metadata\":{}}"))
                .isEqualTo(new ChangeReview(ReviewVersion.K8S_V1, "a\n", true, ""));
        assertThat(change("{\"spec\":{\"lines\":\"x\",\"manifests\":null}}"))
                .isEqualTo(new ChangeReview(ReviewVersion.K8S_V1, null, false, "x"));
        assertThat(CODEC.text("{}".getBytes(UTF_8), ReviewVersion.PLAT_V1BETA1))
                .isEqualTo(new PolicyTextReview(ReviewVersion.PLAT_V1BETA1, ""));
        assertThat(CODEC.text(
                                "{\"kind\":\"PolicyText\",\"spec\":{\"match\":\"m\"}}".getBytes(UTF_8),
                                ReviewVersion.K8S_V1)
                        .match())
                .isEqualTo("m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1                                       | the body: expected AccessChange, found a number
            {"spec":{}}                             | spec: expected manifests, lines or both
            {"spec":{"whole":true}}                 | spec: expected manifests, lines or both
            {"spec":{"lines":1}}                    | spec.lines: expected a string, found a number
            {"spec":{"lines":"","whole":1}}         | spec.whole: expected true or false, found a number
            {"spec":{"lines":"","lines":""}}        | spec.lines: given twice
            {"spec":[]}                             | spec: expected an object, found a list
            {"kind":"PolicyText"}                   | kind: expected "AccessChange", found "PolicyText"
            {"apiVersion":"v1"}                     | apiVersion: expected "authorization.k8s.io/v1", found "v1"
            {"spec":{"lines":"                      | the body is not valid JSON
            {"spec":{"lines":""}} x                 | the body is not valid JSON
            """)
    void malformedBodiesAreRefusedWithTheLocation(String body, String message) {
        assertThatThrownBy(() -> change(body))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400))
                .hasMessageStartingWith(message);
    }

    @Test
    void tooLargeBodiesAreRefused() {
        assertThatThrownBy(() -> change("{\"spec\":{\"lines\":\"" + "x".repeat(1000) + "\"}}"))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(413));
    }
}
