package io.plat.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PathAccessTest {
    /** Most subjects have no paths of their own: the union with those of all users is computed for each of them. */
    @Test
    void theUnionWithAnEmptySetIsTheOtherSet() {
        PathAccess some = PathAccess.of(Values.of("get"), List.of("/a", "/b/*"));
        PathAccess none = PathAccess.of(Values.of("get"), List.of());
        assertThat(none.isEmpty()).isTrue();
        assertThat(some.or(none)).isSameAs(some);
        assertThat(none.or(some)).isSameAs(some);
        assertThat(some.or(some).contains("get", "/b/c")).isTrue();
    }
}
