package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Mapping.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Shared parts of the readers of both formats: problems of one file, its limits, and mappings with unique keys. */
final class TreeBuilder {
    /** Number of problems after which reading a file stops. */
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
        private final SequencedMap<String, Field> fields = new LinkedHashMap<>(4);

        Fields(Location where) {
            this.where = where;
        }

        void put(Location keyAt, String key, SourceNode value) {
            Field first = fields.putIfAbsent(key, new Field(key, keyAt, value));
            if (first != null) {
                problem(
                        keyAt,
                        "duplicate key " + Quoted.of(key) + ", first in line "
                                + first.where().line());
            }
        }

        void putIfAbsent(Mapping merged) {
            merged.entries().forEach(field -> fields.putIfAbsent(field.key(), field));
        }

        Mapping build() {
            return new Mapping(where, fields.values());
        }
    }
}
