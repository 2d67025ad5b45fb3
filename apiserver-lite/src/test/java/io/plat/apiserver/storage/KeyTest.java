package io.plat.apiserver.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyTest {
    @Property
    void keysAreOrderedByTheBytesOfTheirPaths(
            @ForAll @StringLength(max = 8) String left, @ForAll @StringLength(max = 8) String right) {
        String a = wellFormed(left);
        String b = wellFormed(right);
        int expected = Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
        assertThat(Integer.signum(Key.comparePaths(a, b))).isEqualTo(Integer.signum(expected));
    }

    /** Half of the names are ASCII, for which there is a shorter way. */
    @Property
    void keysSortLikeTheirPaths(
            @ForAll @StringLength(max = 8) String left,
            @ForAll @StringLength(max = 8) @CharRange(from = '-', to = 'z') String right) {
        List<Key> keys = Stream.of(left, right, left + right, right + left)
                .map(name -> new Key("pods", "", "n" + wellFormed(name).replaceAll("[/\0]", "")))
                .toList();
        for (Key a : keys) {
            for (Key b : keys) {
                int expected = Arrays.compareUnsigned(
                        a.path().getBytes(UTF_8), b.path().getBytes(UTF_8));
                assertThat(Integer.signum(a.compareTo(b))).isEqualTo(Integer.signum(expected));
            }
        }
    }

    private static String wellFormed(String text) {
        return text.codePoints()
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @ParameterizedTest
    @CsvSource({
        "pods,a,x,pods/a/x",
        "namespaces,'',x,namespaces/x",
        "roles.example.io,a,system:x,roles.example.io/a/system:x"
    })
    void pathRoundTrips(String resource, String namespace, String name, String path) {
        Key key = new Key(resource, namespace, name);
        assertThat(key.path()).isEqualTo(path).hasToString(key.toString());
        assertThat(Key.parse(path)).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(Key.parse(path).namespace()).isEqualTo(namespace);
        assertThat(Key.parse(path).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "pods", "pods/", "/x", "pods//x", "a/b/c/d", "pods/a/"})
    void invalidPathsAreRefused(String path) {
        assertThatThrownBy(() -> Key.parse(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ambiguousKeyPartsAreRefused() {
        assertThatThrownBy(() -> new Key("pods", "a/b", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Key("pods", "a", "x/y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Key("pods", "a", "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Key("pods", "a", "x\0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Key("pods", "a", "\ud83d")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "pods,'','',pods/a/x,true",
        "pods,'','',podsx/a/x,false",
        "pods,'','',pod/a/x,false",
        "pods,a,'',pods/a/x,true",
        "pods,a,'',pods/a-x/x,false",
        "pods,a,x,pods/a/x,true",
        "pods,a,x,pods/a/xx,false",
        "pods,a,x,pods/b/x,false",
        "namespaces,'',x,namespaces/x,true",
        "namespaces,'',x,namespaces/xx,false"
    })
    void rangeContainsItsKeys(String resource, String namespace, String name, String path, boolean inside) {
        var range = new KeyRange(resource, namespace, name);
        assertThat(range.contains(Key.parse(path))).isEqualTo(inside);
        boolean between = Key.comparePaths(range.from(), path) <= 0 && Key.comparePaths(path, range.until()) < 0;
        assertThat(between).isEqualTo(inside);
    }
}
