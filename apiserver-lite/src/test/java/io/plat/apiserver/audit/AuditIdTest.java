package io.plat.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditIdTest {
    private final AuditId ids = new AuditId();

    @ParameterizedTest
    @ValueSource(strings = {"a", "7b1d2c3e-1a2b-4c3d-8e9f-001122334455", "run:1.2_x"})
    void clientIdIsKept(String id) {
        assertThat(ids.of(id)).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "-a", "a\"", "ä", "a\u0000"})
    void invalidClientIdIsReplaced(String id) {
        assertThat(ids.of(id)).hasSize(32);
        assertThat(ids.of("a".repeat(65))).hasSize(32);
    }

    @Test
    void generatedIdsAreUnique() {
        assertThat(ids.of("")).isNotEqualTo(ids.of(""));
        assertThat(ids.of("a, b")).hasSize(32);
    }
}
