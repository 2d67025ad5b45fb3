package io.plat.apiserver.authentication;

import io.plat.engine.lookup.Frozen;
import io.plat.http.authentication.TokenDigest;
import io.plat.review.UserInfo;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of a token file and their users.
 *
 * <p>Tokens are looked up by their SHA-256, so that there is no timing side channel and no token stays in memory.
 */
final class TokenTable {
    private static final int MIN_COLUMNS = 3;
    private static final int MAX_COLUMNS = 4;

    private final Map<TokenDigest, UserInfo> usersByDigest;

    private TokenTable(Map<TokenDigest, UserInfo> usersByDigest) {
        this.usersByDigest = Frozen.copyOf(usersByDigest);
    }

    /**
     * Reads the text of a token file: comma-separated values, a line {@code token,user,uid,"group1,group2"} each; groups are optional.
     *
     * @param file the file as the user named it
     * @throws ProblemsException for all malformed lines; no message contains a token
     */
    static TokenTable parse(String file, String text) throws ProblemsException {
        List<Problem> problems = new ArrayList<>();
        Map<TokenDigest, UserInfo> users = new HashMap<>();
        Map<TokenDigest, Integer> lines = new HashMap<>();
        for (CsvRecord row : CsvRecord.parse(file, text, problems)) {
            Location where = new Location(file, row.line());
            Optional<String> defect = defect(row.fields());
            if (defect.isPresent()) {
                problems.add(new Problem(where, defect.get()));
                continue;
            }
            TokenDigest digest = TokenDigest.of(row.fields().getFirst());
            Integer earlier = lines.putIfAbsent(digest, row.line());
            if (earlier != null) {
                problems.add(new Problem(where, "the token of line " + earlier + " again, expected each token once"));
            }
            users.put(digest, user(row.fields()));
        }
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        return new TokenTable(users);
    }

    private static Optional<String> defect(List<String> fields) {
        if (fields.size() < MIN_COLUMNS || fields.size() > MAX_COLUMNS) {
            return Optional.of("found " + fields.size()
                    + (fields.size() == 1 ? " column" : " columns")
                    + ", expected token,user,uid and optionally \"group1,group2\" in quotes");
        }
        if (fields.getFirst().isEmpty()) {
            return Optional.of("an empty token, expected token,user,uid");
        }
        return fields.get(1).isEmpty() ? Optional.of("an empty user name, expected token,user,uid") : Optional.empty();
    }

    private static UserInfo user(List<String> fields) {
        List<String> groups = new ArrayList<>();
        if (fields.size() == MAX_COLUMNS) {
            for (String group : fields.get(3).split(",", -1)) {
                if (!group.isEmpty()) {
                    groups.add(group);
                }
            }
        }
        return new UserInfo(fields.get(1), fields.get(2), groups, Map.of());
    }

    Optional<UserInfo> find(String token) {
        return Optional.ofNullable(usersByDigest.get(TokenDigest.of(token)));
    }

    int size() {
        return usersByDigest.size();
    }

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
                        return problem(line, "text after a closing quote, expected a comma or the end of the line");
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
}
