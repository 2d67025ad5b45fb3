package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Raw numbers come from clients: an unreadable one is the sender's error. */
class RawNumbersTest {
    private static final int MUCH = 1 << 20;

    @Test
    void outOfRangeExponentIsRejected() {
        BinaryForm form = BinaryForms.builtIn()
                .find(new TypeMeta("apps/v1", "ControllerRevision"))
                .orElseThrow();
        byte[] json = "{\"metadata\":{\"name\":\"r\"},\"revision\":1,\"data\":{\"x\":0.663e59966512403}}"
                .getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(() -> form.json(form.message(json), MUCH))
                .satisfies(refused ->
                        Assertions.assertThat(refused.status().code()).isEqualTo(400));
    }
}
