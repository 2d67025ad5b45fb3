package io.plat.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Sets of paths obey the definition of each operation, path by path. */
final class PathSetTest {
    private static final List<String> PATTERNS = List.of(
            "*", "/*", "/", "/a", "/a*", "/a/*", "/a/", "/ab", "/ab*", "/a/b", "/a/b*", "/a/b/c", "/b", "/a*b", "");

    /** The path of every pattern, paths below each, and paths that only wide patterns cover. */
    private static final List<String> PATHS = List.of(
            "", "x", "/", "/x", "/a", "/ax", "/a/", "/a/x", "/ab", "/abx", "/a/b", "/a/bx", "/a/b/c", "/a/b/cx", "/b",
            "/bx", "/a*b");

    @Property
    void operationsAgreeForEveryPath(@ForAll("some") PathSet one, @ForAll("some") PathSet other) {
        for (String path : PATHS) {
            boolean in = one.contains(path);
            boolean inOther = other.contains(path);
            assertThat(one.minus(one.minus(other)).contains(path)).as(path).isEqualTo(in && inOther);
            assertThat(one.or(other).contains(path)).as(path).isEqualTo(in || inOther);
            assertThat(one.minus(other).contains(path)).as(path).isEqualTo(in && !inOther);
        }
    }

    @Property
    void setsOfTheSamePathsAreEqual(@ForAll("some") PathSet one, @ForAll("some") PathSet other) {
        assertThat(one.minus(other).or(one.minus(one.minus(other)))).isEqualTo(one);
        assertThat(one.minus(other).isEmpty() && other.minus(one).isEmpty()).isEqualTo(one.equals(other));
        assertThat(one.or(other)).isEqualTo(other.or(one)).hasSameHashCodeAs(other.or(one));
    }

    @Property
    void partsDescribeTheWholeSet(@ForAll("some") PathSet set) {
        for (String path : PATHS) {
            boolean contained = set.parts().stream()
                    .anyMatch(part -> covers(part.patterns(), path) && !covers(part.except(), path));
            assertThat(contained).as(path + " of " + set.parts()).isEqualTo(set.contains(path));
        }
    }

    private static boolean covers(List<String> patterns, String path) {
        return patterns.stream()
                .anyMatch(pattern -> pattern.endsWith("*")
                        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                        : pattern.equals(path));
    }

    @Test
    void prefixesAreListedWithExceptions() {
        PathSet set = PathSet.of(List.of("/api/*", "/version"))
                .minus(PathSet.of(List.of("/api/v1*")))
                .or(PathSet.of(List.of("/api/v1/pods")));

        assertThat(set.parts())
                .containsExactly(
                        new PathSet.Part(List.of("/api/v1/pods", "/version"), List.of()),
                        new PathSet.Part(List.of("/api/*"), List.of("/api/v1*")));
    }

    @Provide
    Arbitrary<PathSet> some() {
        Arbitrary<PathSet> patterns =
                Arbitraries.of(PATTERNS).list().ofMaxSize(4).map(PathSet::of);
        return Combinators.combine(patterns, patterns, patterns)
                .as((all, less, more) -> all.minus(less).or(more));
    }
}
