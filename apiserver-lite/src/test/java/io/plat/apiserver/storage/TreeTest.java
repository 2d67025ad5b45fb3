package io.plat.apiserver.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The tree is a sorted map with ranks, stays balanced, and no version of it ever changes. */
final class TreeTest {
    /** Puts the key with a positive number, removes that of a negative one. */
    @Provide
    Arbitrary<List<Integer>> operations() {
        return Arbitraries.integers().between(-60, 60).list().ofMaxSize(300);
    }

    private static Entry entry(int number, long revision) {
        return new Entry(key(number), Integer.toString(number).getBytes(UTF_8), revision);
    }

    private static Key key(int number) {
        return new Key("pods", "n" + number % 3, "x" + number);
    }

    @Property
    void agreesWithASortedMap(@ForAll("operations") List<Integer> operations) {
        Tree tree = Tree.EMPTY;
        NavigableMap<String, Entry> model = new TreeMap<>();
        for (int i = 0; i < operations.size(); i++) {
            int number = Math.abs(operations.get(i));
            if (operations.get(i) > 0) {
                Entry entry = entry(number, i + 1);
                tree = tree.put(entry);
                model.put(entry.key().path(), entry);
            } else {
                tree = tree.remove(key(number));
                model.remove(key(number).path());
            }
            assertThat(tree.isValid()).isTrue();
        }
        assertThat(tree.size()).isEqualTo(model.size());
        assertThat(tree.slice(0, tree.size())).containsExactlyElementsOf(model.values());
        for (int number = 0; number <= 60; number++) {
            String path = key(number).path();
            assertThat(tree.get(key(number))).isSameAs(model.get(path));
            assertThat(tree.rank(path)).isEqualTo(model.headMap(path).size());
        }
        List<Entry> all = List.copyOf(model.values());
        for (int from = 0; from <= all.size(); from += 7) {
            for (int until = from; until <= all.size(); until += 5) {
                assertThat(tree.slice(from, until)).isEqualTo(all.subList(from, until));
            }
        }
    }

    @Property
    void bulkLoadEqualsSingleInsertions(@ForAll("operations") List<Integer> numbers, @ForAll long seed) {
        var entries = new ArrayList<Entry>();
        Tree oneByOne = Tree.EMPTY;
        for (int number : numbers.stream().map(Math::abs).distinct().toList()) {
            Entry entry = entry(number, entries.size() + 1);
            entries.add(entry);
            oneByOne = oneByOne.put(entry);
        }
        Collections.shuffle(entries, new Random(seed));
        Tree atOnce = Tree.of(entries);
        assertThat(atOnce.isValid()).isTrue();
        assertThat(atOnce.slice(0, atOnce.size())).isEqualTo(oneByOne.slice(0, oneByOne.size()));
    }

    @Property
    void versionsAreImmutable(@ForAll("operations") List<Integer> operations) {
        var versions = new ArrayList<Tree>();
        var contents = new ArrayList<List<Entry>>();
        Tree tree = Tree.EMPTY;
        for (int i = 0; i < operations.size(); i++) {
            int number = Math.abs(operations.get(i));
            tree = operations.get(i) > 0 ? tree.put(entry(number, i + 1)) : tree.remove(key(number));
            versions.add(tree);
            contents.add(tree.slice(0, tree.size()));
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(versions.get(i).slice(0, versions.get(i).size())).isEqualTo(contents.get(i));
        }
    }

    @Test
    void growsInOrderAndStaysBalanced() {
        Tree tree = Tree.EMPTY;
        for (int i = 0; i < 10_000; i++) {
            tree = tree.put(new Entry(new Key("pods", "a", String.format("x%05d", i)), new byte[1], i + 1));
        }
        assertThat(tree.isValid()).isTrue();
        assertThat(tree.size()).isEqualTo(10_000);
        assertThat(tree.rank("pods/a/x05000")).isEqualTo(5000);
    }

    @Test
    void removingAMissingKeyReturnsTheSameTree() {
        Tree tree = Tree.EMPTY.put(entry(1, 1));
        assertThat(tree.remove(key(2))).isSameAs(tree);
    }
}
