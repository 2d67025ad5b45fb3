package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Shared parts of the readers of both formats: problems of one file, its limits, and mappings with unique keys. */
final class TreeBuilder {
    /** Number of problems after which a file is not read further. */
    private static final int MAX_PROBLEMS = 1_000;

    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private long values;
    private int documents;

    /** The last location, as most values are on the line of the previous one. */
    private Location last;

    TreeBuilder(String file) {
        this.file = file;
        this.last = new Location(file, 0);
    }

    Location at(int line) {
        if (last.line() != line) {
            last = new Location(file, line);
        }
        return last;
    }

    void problem(Location where, String message) {
        problems.add(new Problem(where, message));
    }

    /** Counts values. Exceeding the limit ends the reading, as a hostile file would exhaust memory. */
    void count(Location where, long more) throws ProblemsException {
        values += more;
        if (problems.size() >= MAX_PROBLEMS) {
            finish();
        }
        if (values > SourceReader.MAX_VALUES) {
            problem(where, "more than " + SourceReader.MAX_VALUES + " values");
            finish();
        }
    }

    /** Counts a document. Exceeding the limit is the only problem reported. */
    void countDocument(Location where) throws ProblemsException {
        if (++documents > SourceReader.MAX_DOCUMENTS) {
            throw new ProblemsException(new Problem(where, "more than " + SourceReader.MAX_DOCUMENTS + " documents"));
        }
    }

    void finish() throws ProblemsException {
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
    }

    /** A mapping under construction. A duplicate key is a problem: two readers could disagree about its value. */
    final class Fields {
        private final Location where;
        private String[] names = new String[4];
        private SourceNode[] nodes = new SourceNode[4];
        private Location[] places = new Location[4];
        private int count;

        /** Positions of the keys in the arrays, if there are many. */
        private @Nullable Map<String, Integer> positions;

        Fields(Location where) {
            this.where = where;
        }

        void put(Location keyAt, String key, SourceNode value) {
            int position = position(key);
            if (position < 0) {
                add(keyAt, key, value);
            } else {
                problem(keyAt, "duplicate key " + Quoted.of(key) + ", first in line " + places[position].line());
            }
        }

        void putIfAbsent(Mapping merged) {
            merged.fields().forEach((key, value) -> {
                if (position(key) < 0) {
                    add(merged.keys().getOrDefault(key, merged.where()), key, value);
                }
            });
        }

        private int position(String key) {
            if (positions != null) {
                return positions.getOrDefault(key, -1);
            }
            for (int i = 0; i < count; i++) {
                if (names[i].equals(key)) {
                    return i;
                }
            }
            return -1;
        }

        private void add(Location keyAt, String key, SourceNode value) {
            if (count == names.length) {
                names = Arrays.copyOf(names, count * 2);
                nodes = Arrays.copyOf(nodes, count * 2);
                places = Arrays.copyOf(places, count * 2);
            }
            if (count == SmallMap.MAX) {
                positions = new HashMap<>();
                for (int i = 0; i < count; i++) {
                    positions.put(names[i], i);
                }
            }
            names[count] = key;
            nodes[count] = value;
            places[count] = keyAt;
            if (positions != null) {
                positions.put(key, count);
            }
            count++;
        }

        Mapping build() {
            if (count <= SmallMap.MAX) {
                String[] keys = Arrays.copyOf(names, count);
                return new Mapping(
                        where,
                        new SmallMap<>(keys, Arrays.copyOf(nodes, count)),
                        new SmallMap<>(keys, Arrays.copyOf(places, count)));
            }
            SequencedMap<String, SourceNode> fields = LinkedHashMap.newLinkedHashMap(count);
            Map<String, Location> keys = LinkedHashMap.newLinkedHashMap(count);
            for (int i = 0; i < count; i++) {
                fields.put(names[i], nodes[i]);
                keys.put(names[i], places[i]);
            }
            return new Mapping(where, Collections.unmodifiableSequencedMap(fields), Collections.unmodifiableMap(keys));
        }
    }
}
