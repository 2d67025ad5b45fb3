package io.plat.engine.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class PathTableTest {
    @Property(tries = 2_000)
    void findsExactlyThePatternsThatCoverAPath(@ForAll("patterns") Set<String> patterns, @ForAll("paths") String path) {
        PathTable<String> table = PathTable.of(patterns.stream().collect(Collectors.toMap(p -> p, p -> p)));
        assertThat(new HashSet<>(table.covering(path)))
                .isEqualTo(patterns.stream().filter(p -> covers(p, path)).collect(Collectors.toSet()));
    }

    @Provide
    Arbitrary<Set<String>> patterns() {
        return Arbitraries.strings().withChars("/ab*").ofMaxLength(5).set().ofMaxSize(15);
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.strings().withChars("/ab*").ofMaxLength(7);
    }

    @Test
    void iteratesFromTheLongestPrefixToTheShortest() {
        Map<String, String> patterns = new HashMap<>();
        for (String pattern : Set.of("*", "/a*", "/a/*", "/a/b*", "/a/bc*", "/b*", "/a/b")) {
            patterns.put(pattern, pattern);
        }
        PathTable<String> table = PathTable.of(patterns);
        assertThat(table.covering("/a/bd")).containsExactly("/a/b*", "/a/*", "/a*", "*");
        assertThat(table.covering("/a/b")).containsExactly("/a/b", "/a/b*", "/a/*", "/a*", "*");
    }

    private static boolean covers(String pattern, String path) {
        return pattern.endsWith("*")
                ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(path);
    }
}
