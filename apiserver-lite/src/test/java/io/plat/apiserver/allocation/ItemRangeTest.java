package io.plat.apiserver.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/24, 254, 10.0.0.1, 10.0.0.254, 16",
        "10.0.0.77/24, 254, 10.0.0.1, 10.0.0.254, 16",
        "10.96.0.0/12, 1048574, 10.96.0.1, 10.111.255.254, 256",
        "192.168.255.252/30, 2, 192.168.255.253, 192.168.255.254, 0"
    })
    void addressRangeExcludesItsEnds(String text, long size, String first, String last, long reserved) {
        ItemRange range = ItemRange.addresses(text).orElseThrow();
        assertThat(range.size()).isEqualTo(size);
        assertThat(range.at(0)).isEqualTo(first);
        assertThat(range.at(size - 1)).isEqualTo(last);
        assertThat(range.reserved()).isEqualTo(reserved);
        assertThat(range.contains(first) && range.contains(last)).isTrue();
    }

    @Test
    void itemsOutsideTheRangeAreNotAllocated() {
        ItemRange range = ItemRange.addresses("10.0.0.0/24").orElseThrow();
        for (String other :
                new String[] {"10.0.0.0", "10.0.0.255", "10.0.1.1", "9.255.255.255", "10.0.0.01", "x", ""}) {
            assertThat(range.contains(other)).as(other).isFalse();
        }
        ItemRange ports = ItemRange.ports("30000-30001").orElseThrow();
        assertThat(ports.contains("30000") && ports.contains("30001")).isTrue();
        assertThat(ports.contains("29999") || ports.contains("30002") || ports.contains(""))
                .isFalse();
        assertThat(ports.size()).isEqualTo(2);
        assertThat(ports.reserved()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0", "10.0.0.0/7", "10.0.0.0/31", "10.0.0/24", "256.0.0.0/24", "fd00::/108"})
    void invalidAddressRangesAreRejected(String text) {
        assertThat(ItemRange.addresses(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "80", "0-80", "81-80", "1-65536", "a-b"})
    void invalidPortRangesAreRejected(String text) {
        assertThat(ItemRange.ports(text)).isEmpty();
    }
}
