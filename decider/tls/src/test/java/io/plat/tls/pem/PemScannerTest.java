package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Scanning any file ends with blocks or a message. */
final class PemScannerTest {
    @Property
    void anyBytesAreScannedOrRefused(@ForAll byte[] bytes) {
        assertThat(scan(bytes)).isNotNull();
    }

    @Property
    void anyMixOfLinesIsScannedOrRefused(@ForAll("lines") List<String> lines) {
        assertThat(scan(String.join("\n", lines).getBytes(StandardCharsets.UTF_8)))
                .isNotNull();
    }

    @Property
    void writtenTextIsScanned(@ForAll("contents") List<byte[]> contents) throws PemException {
        StringBuilder text = new StringBuilder("an explanation\n");
        for (byte[] content : contents) {
            text.append("-----BEGIN THING-----\n")
                    .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content))
                    .append("\n-----END THING-----\nmore\n");
        }

        List<PemScanner.PemBlock> blocks =
                PemScanner.scan(source(text.toString().getBytes(StandardCharsets.US_ASCII)));

        assertThat(blocks).hasSameSizeAs(contents);
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(blocks.get(i).content()).isEqualTo(contents.get(i));
            assertThat(blocks.get(i).label()).isEqualTo("THING");
            assertThat(blocks.get(i).encrypted()).isFalse();
        }
    }

    @Provide
    Arbitrary<List<byte[]>> contents() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMinSize(1)
                .ofMaxSize(300)
                .list()
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<List<String>> lines() {
        Arbitrary<String> marks = Arbitraries.of(
                "-----BEGIN A-----",
                "-----END A-----",
                "-----BEGIN PRIVATE KEY-----",
                "-----END PRIVATE KEY-----",
                "-----BEGIN -----",
                "-----BEGIN ",
                "-----END ",
                "Proc-Type: 4,ENCRYPTED",
                "AAAA",
                "");
        Arbitrary<String> noise =
                Combinators.combine(marks, Arbitraries.strings().ofMaxLength(5)).as((mark, end) -> mark + end);
        return Arbitraries.oneOf(marks, noise).list().ofMaxSize(12);
    }

    private static List<Object> scan(byte[] bytes) {
        List<Object> found = new ArrayList<>();
        try {
            found.addAll(PemScanner.scan(source(bytes)));
        } catch (PemException e) {
            assertThat(e.getMessage()).startsWith("s:").isNotBlank();
            found.add(e);
        }
        return found;
    }

    private static PemSource source(byte[] bytes) {
        return PemSource.inline("s", bytes);
    }
}
