package io.plat.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceAddressesTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "null", emptyValue = "", textBlock = """
            ''                          ; ''        ; 192.0.2.7       ; 192.0.2.7
            198.51.100.1                ; ''        ; 192.0.2.7       ; 198.51.100.1 192.0.2.7
            198.51.100.1, 198.51.100.2  ; ''        ; 192.0.2.7       ; 198.51.100.1 198.51.100.2 192.0.2.7
            198.51.100.1, 192.0.2.7     ; ''        ; 192.0.2.7       ; 198.51.100.1 192.0.2.7
            192.0.2.7, 198.51.100.1     ; ''        ; 192.0.2.7       ; 192.0.2.7 198.51.100.1 192.0.2.7
            198.51.100.1                ; 198.51.100.1 ; 192.0.2.7    ; 198.51.100.1 192.0.2.7
            198.51.100.1                ; 198.51.100.3 ; 192.0.2.7    ; 198.51.100.1 198.51.100.3 192.0.2.7
            unknown, example.org, 7, ,  ; host      ; 192.0.2.7       ; 192.0.2.7
            2001:DB8:0:0:1:0:0:1        ; ''        ; 0:0:0:0:0:0:0:1 ; 2001:db8::1:0:0:1 ::1
            ::                          ; fe80::1%eth0 ; 1:0:2:3:4:5:6:7 ; :: 1:0:2:3:4:5:6:7
            1:2:3:4:5:6::               ; ''        ; ''              ; 1:2:3:4:5:6::
            ::ffff:192.0.2.1            ; ''        ; 999.0.0.1       ; 192.0.2.1
            """)
    void forwardedAddressesPrecedeThePeer(String forwardedFor, String realIp, String peer, String sources) {
        assertThat(String.join(" ", SourceAddresses.of(forwardedFor, realIp, peer)))
                .isEqualTo(sources);
    }
}
