package io.plat.apiserver.authentication;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of comma-separated values (RFC 4180): fields may be in double quotes, with quotes in them doubled, and a quoted field may span
 * lines. Empty lines are skipped.
 *
 * @param line the line on which it begins, from 1
 * @param fields its fields, at least one
 */
record CsvRecord(int line, List<String> fields) {
    CsvRecord {
        fields = List.copyOf(fields);
    }

    /** Parses all records; malformed lines are reported as problems and skipped. */
    static List<CsvRecord> parse(String file, String text, List<Problem> problems) {
        return new Reader(file, text, problems).records();
    }

    private static final class Reader {
        private final String file;
        private final String text;
        private final List<Problem> problems;
        private int position;
        private int line = 1;

        Reader(String file, String text, List<Problem> problems) {
            this.file = file;
            this.text = text;
            this.problems = problems;
        }

        List<CsvRecord> records() {
            List<CsvRecord> records = new ArrayList<>();
            while (position < text.length()) {
                if (atLineEnd()) {
                    endLine();
                    continue;
                }
                int start = line;
                List<String> fields = fields();
                if (!fields.isEmpty()) {
                    records.add(new CsvRecord(start, fields));
                }
                endLine();
            }
            return records;
        }

        /** Parses the fields up to the end of the line; null for a misplaced quote. */
        private List<String> fields() {
            List<String> fields = new ArrayList<>();
            while (true) {
                @Nullable String field = peek() == '"' ? quoted() : bare();
                if (field == null) {
                    skipLine();
                    return List.of();
                }
                fields.add(field);
                if (peek() != ',') {
                    return fields;
                }
                position++;
            }
        }

        private @Nullable String bare() {
            int start = position;
            while (position < text.length() && peek() != ',' && !atLineEnd()) {
                if (peek() == '"') {
                    return problem(line, "a quote inside a field, expected the whole field in quotes");
                }
                position++;
            }
            return text.substring(start, position);
        }

        private @Nullable String quoted() {
            int start = line;
            StringBuilder field = new StringBuilder();
            position++;
            while (position < text.length()) {
                char c = text.charAt(position++);
                if (c != '"') {
                    line += c == '\n' ? 1 : 0;
                    field.append(c);
                } else if (peek() == '"') {
                    position++;
                    field.append(c);
                } else if (position == text.length() || peek() == ',' || atLineEnd()) {
                    return field.toString();
                } else {
                    return problem(line, "text behind a closing quote, expected a comma or the end of the line");
                }
            }
            return problem(start, "a quote that is never closed");
        }

        private @Nullable String problem(int where, String message) {
            problems.add(new Problem(new Location(file, where), message));
            return null;
        }

        private int peek() {
            return position < text.length() ? text.charAt(position) : -1;
        }

        private boolean atLineEnd() {
            return peek() == '\n' || (peek() == '\r' && text.startsWith("\r\n", position));
        }

        private void endLine() {
            if (peek() == '\r') {
                position++;
            }
            if (peek() == '\n') {
                position++;
                line++;
            }
        }

        private void skipLine() {
            while (position < text.length() && peek() != '\n') {
                position++;
            }
        }
    }
}
