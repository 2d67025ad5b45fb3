package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Responses of a remote decider. */
class AnswersTest {
    private static final String TYPE = "\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\"";

    private final ReviewCodec codec = new ReviewCodec();

    @TestFactory
    Stream<DynamicTest> malformedResponsesAreRefused() throws Exception {
        return Rows.of("malformed-answers.yaml").stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.string("name"),
                        () -> assertThatThrownBy(() -> decode(row.string("body")))
                                .isInstanceOf(MalformedResponseException.class)
                                .hasMessageContaining(row.string("message"))));
    }

    @Test
    void aResponseNeedNotRepeatTheSpec() throws MalformedResponseException {
        assertThat(decode("{TYPE,\"status\":{\"allowed\":true}}")).isEqualTo(ReviewStatus.of(true, ""));
        assertThat(decode("{TYPE,\"status\":{\"allowed\":false,\"reason\":\"no rule\"}}"))
                .isEqualTo(ReviewStatus.of(false, "no rule"));
    }

    @Test
    void anySpecOfAResponseIsIgnored() throws MalformedResponseException {
        assertThat(decode("{\"spec\":{\"user\":7,\"user\":[]},TYPE,\"metadata\":null,"
                        + "\"status\":{\"allowed\":true,\"x\":[{}],\"reason\":null}}"))
                .isEqualTo(ReviewStatus.of(true, ""));
    }

    @Test
    void everyMemberOfTheStatusIsRead() throws MalformedResponseException {
        assertThat(
                        decode(
                                "{\"status\":{\"evaluationError\":\"e\",\"denied\":true,\"allowed\":false,\"reason\":\"r\"},TYPE}"))
                .isEqualTo(new ReviewStatus(false, true, "r", "e"));
        assertThat(decode("{TYPE,\"status\":{\"allowed\":true,\"denied\":false}}"))
                .isEqualTo(ReviewStatus.of(true, ""));
    }

    @Test
    void sizeAndEncodingAreBounded() {
        ReviewCodec small = new ReviewCodec(10);
        assertThatThrownBy(() -> small.decodeResponse(new byte[11], ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessage("the answer is larger than 10 bytes");
        assertThatThrownBy(() -> codec.decodeResponse(new byte[] {'"', (byte) 0xff, '"'}, ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessage("the answer is not valid UTF-8");
    }

    private ReviewStatus decode(String body) throws MalformedResponseException {
        return codec.decodeResponse(body.replace("TYPE", TYPE).getBytes(StandardCharsets.UTF_8), ReviewVersion.K8S_V1);
    }
}
