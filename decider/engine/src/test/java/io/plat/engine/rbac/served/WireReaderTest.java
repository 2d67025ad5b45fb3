package io.plat.engine.rbac.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WireReaderTest {
    @Test
    void fieldsAreReadInTheirOrder() throws MalformedRolesException {
        WireReader reader = of("0a0161" + "10ac02" + "1a020801" + "2500000000" + "290000000000000000" + "b20100");
        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(1);
        assertThat(reader.text()).isEqualTo("a");
        assertThat(reader.next()).isTrue();
        assertThat(reader.number()).isEqualTo(300);
        assertThat(reader.next()).isTrue();
        WireReader message = reader.message();
        assertThat(message.next()).isTrue();
        assertThat(message.number()).isEqualTo(1);
        assertThat(message.next()).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(reader.next()).isTrue();
            reader.skip();
        }
        assertThat(reader.field()).isEqualTo(22);
        assertThat(reader.next()).isFalse();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(textBlock = """
            0a,                         ends in the middle
            0a02,                       ends in the middle
            0a0261,                     ends in the middle
            0affffffffffffffffff01,     ends in the middle
            0affffffffffffffffffff01,   more than ten bytes
            08,                         ends in the middle
            08ffffffffffffffffffff01,   more than ten bytes
            0d000000,                   ends in the middle
            0900000000000000,           ends in the middle
            00,                         no valid number
            ffffffffffff01,             no valid number
            0b,                         unexpected wire type 3
            0c,                         unexpected wire type 4
            0e,                         unexpected wire type 6
            """)
    void whatIsMalformedIsRefused(String hex, String message) {
        assertThatThrownBy(() -> {
                    WireReader reader = of(hex);
                    while (reader.next()) {
                        reader.skip();
                    }
                })
                .isInstanceOf(MalformedRolesException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aValueHasTheTypeThatIsAskedFor() throws MalformedRolesException {
        WireReader number = of("0801");
        assertThat(number.next()).isTrue();
        assertThatThrownBy(number::text).hasMessageContaining("unexpected wire type 0");
        WireReader text = of("0a0161");
        assertThat(text.next()).isTrue();
        assertThatThrownBy(text::number).hasMessageContaining("unexpected wire type 2");
    }

    @Test
    void textIsUtf8AndNothingElse() throws MalformedRolesException {
        WireReader replacement = of("0a03efbfbd");
        assertThat(replacement.next()).isTrue();
        assertThat(replacement.text()).isEqualTo("\uFFFD");
        for (String bad : new String[] {"0a01ff", "0a02c080", "0a03eda080", "0a04f7bfbfbf"}) {
            WireReader reader = of(bad);
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::text).hasMessage("a binary string is not UTF-8");
        }
    }

    private static WireReader of(String hex) {
        byte[] message = HexFormat.of().parseHex(hex);
        byte[] within = new byte[message.length + 4];
        System.arraycopy(message, 0, within, 2, message.length);
        return new WireReader(within, 2, message.length + 2);
    }
}
