package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestIdsTest {
    @Test
    void idsOfOneProcessDifferAndShareItsName() {
        RequestIds ids = new RequestIds(0x0123456789abcdefL);
        assertThat(ids.next()).isEqualTo("0123456789abcdef0000000000000000");
        assertThat(ids.next()).isEqualTo("0123456789abcdef0000000000000001");
    }

    @Test
    void idsOfSeveralProcessesDiffer() {
        Set<String> seen = new HashSet<>();
        for (int process = 0; process < 100; process++) {
            RequestIds ids = new RequestIds();
            assertThat(seen.add(ids.next())).isTrue();
            assertThat(seen.add(ids.next())).isTrue();
        }
    }
}
