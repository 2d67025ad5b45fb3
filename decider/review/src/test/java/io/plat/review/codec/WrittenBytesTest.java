package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class WrittenBytesTest {
    @Property
    void containsTheWrittenBytes(@ForAll List<byte[]> parts) throws IOException {
        ResponseDocument.WrittenBytes written = new ResponseDocument.WrittenBytes();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            written.write(part);
            expected.write(part);
            if (part.length > 2) {
                written.write(part, 1, part.length - 2);
                expected.write(part, 1, part.length - 2);
                written.write(part[0]);
                expected.write(part[0]);
            }
            assertThat(written.toByteArray()).isEqualTo(expected.toByteArray());
        }
    }
}
