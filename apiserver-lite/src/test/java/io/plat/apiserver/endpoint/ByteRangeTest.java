package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangeTest {
    /** Of ten bytes. */
    @ParameterizedTest
    @CsvSource({
        "bytes=0-3,    bytes 0-3/10",
        "bytes=0-,     bytes 0-9/10",
        "bytes=4-,     bytes 4-9/10",
        "bytes=4-4,    bytes 4-4/10",
        "bytes=4-99,   bytes 4-9/10",
        "bytes=-3,     bytes 7-9/10",
        "bytes=-99,    bytes 0-9/10",
        "bytes=-0,     bytes */10",
        "bytes=10-,    bytes */10",
        "bytes=10-12,  bytes */10",
        "bytes=999999999999999999-, bytes */10",
        "bytes= 1-2 ,  bytes 1-2/10",
    })
    void singleRangeIsSent(String header, String sent) {
        assertThat(ByteRange.of(header, 10)).map(part -> part.of(10)).contains(sent);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "bytes=-",
        "bytes=3-2",
        "'bytes=0-1,3-4'",
        "lines=0-3",
        "bytes=a-b",
        "bytes=0--1",
        "bytes=99999999999999999999-",
        "bytes",
    })
    void anythingElseMeansAll(String header) {
        assertThat(ByteRange.of(header, 10)).isEmpty();
    }

    @Property
    void rangesStayWithinTheFile(
            @ForAll @LongRange(max = 1 << 20) long from,
            @ForAll @LongRange(max = 1 << 20) long to,
            @ForAll @LongRange(max = 1 << 20) long size) {
        for (String header : new String[] {"bytes=" + from + "-" + to, "bytes=" + from + "-", "bytes=-" + to}) {
            ByteRange.of(header, size).ifPresent(part -> {
                assertThat(part.length()).isNotNegative();
                assertThat(part.from()).isNotNegative();
                if (part.length() > 0) {
                    assertThat(part.from() + part.length()).isLessThanOrEqualTo(size);
                }
            });
        }
    }
}
