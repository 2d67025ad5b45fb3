package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** What the readers of both formats share: problems of one file, its limits, and mappings with unique keys. */
final class TreeBuilder {
    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private long values;

    TreeBuilder(String file) {
        this.file = file;
    }

    Location at(int line) {
        return new Location(file, line);
    }

    void problem(Location where, String message) {
        problems.add(new Problem(where, message));
    }

    /** Counts values; the limit ends the reading, as a hostile file would exhaust memory. */
    void count(Location where, long more) throws ProblemsException {
        values += more;
        if (values > SourceReader.MAX_VALUES) {
            problem(where, "more than " + SourceReader.MAX_VALUES + " values");
            finish();
        }
    }

    void finish() throws ProblemsException {
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
    }

    /** A mapping in the making. A key that stands twice is a problem: two readers could disagree about which one counts. */
    final class Fields {
        private final Location where;
        private final SequencedMap<String, SourceNode> values = new LinkedHashMap<>();
        private final Map<String, Location> keys = new LinkedHashMap<>();

        Fields(Location where) {
            this.where = where;
        }

        void put(Location keyAt, String key, SourceNode value) {
            Location first = keys.putIfAbsent(key, keyAt);
            if (first == null) {
                values.put(key, value);
            } else {
                problem(keyAt, "duplicate key " + Quoted.of(key) + ", first in line " + first.line());
            }
        }

        void putIfAbsent(Mapping merged) {
            merged.fields().forEach((key, value) -> {
                if (values.putIfAbsent(key, value) == null) {
                    keys.put(key, merged.keys().getOrDefault(key, merged.where()));
                }
            });
        }

        Mapping build() {
            return new Mapping(where, Collections.unmodifiableSequencedMap(values), Collections.unmodifiableMap(keys));
        }
    }
}
