package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "+1",
                "-1",
                "1.5",
                ".5",
                "5.",
                "100m",
                "1n",
                "2u",
                "3k",
                "4M",
                "5G",
                "6T",
                "7P",
                "8E",
                "1Ki",
                "1Mi",
                "1Gi",
                "1Ti",
                "1Pi",
                "1Ei",
                "1e3",
                "1E3",
                "1e-3",
                "1E+3",
                "-0.5Gi",
                "123456789012345678901234567890"
            })
    void quantities(String text) {
        assertThat(valid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "+", ".", "-.", "m", "1K", "1mi", "1ki", "1Kii", "1ee3", "1e", "1e+", "1e3m", "1 ", " 1", "1..5",
                "1.5.5", "--1", "0x1", "1e1.5", "NaN"
            })
    void othersAreNone(String text) {
        assertThat(valid(text)).isFalse();
    }

    private static boolean valid(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.US_ASCII);
        return Quantities.valid(bytes, 1, bytes.length - 1);
    }
}
