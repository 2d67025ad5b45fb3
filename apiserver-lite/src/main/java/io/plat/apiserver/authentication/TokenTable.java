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
     * @throws ProblemsException for all malformed lines; no message contains a token
     */
    static TokenTable parse(String file, String text) throws ProblemsException {
        List<Problem> problems = new ArrayList<>();
        Map<TokenDigest, UserInfo> users = new HashMap<>();
        Map<TokenDigest, Integer> lines = new HashMap<>();
        for (CsvRecord row : new CsvReader(text).records(file, problems)) {
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
     * Record of comma-separated values.
     *
     * @param line the line on which it begins, from 1
     * @param fields its fields, at least one
     */
    record CsvRecord(int line, List<String> fields) {}

    /**
     * Reader of comma-separated values (RFC 4180): fields may be in double quotes, with quotes in them doubled, and a quoted field may span
     * lines. Empty lines are skipped.
     */
    static final class CsvReader {
        /** Text whose lines all end with a line feed. */
        private final String text;

        private int position;
        private int line = 1;

        CsvReader(String text) {
            this.text = text.replace("\r\n", "\n") + "\n";
        }

        /** Reads all records; malformed ones are reported as problems and skipped. */
        List<CsvRecord> records(String file, List<Problem> problems) {
            List<CsvRecord> records = new ArrayList<>();
            for (; position < text.length(); position++, line++) {
                if (text.charAt(position) == '\n') {
                    continue;
                }
                CsvRecord row = new CsvRecord(line, new ArrayList<>());
                String problem = readInto(row.fields());
                if (problem.isEmpty()) {
                    records.add(row);
                } else {
                    problems.add(new Problem(new Location(file, line), problem));
                    position = text.indexOf('\n', position);
                }
            }
            return records;
        }

        /** Reads the fields up to the end of the line; returns the first problem, or {@code ""}. */
        private String readInto(List<String> fields) {
            while (true) {
                int start = position;
                if (text.charAt(start) == '"') {
                    int end = text.indexOf('"', start + 1);
                    while (text.startsWith("\"\"", end)) {
                        end = text.indexOf('"', end + 2);
                    }
                    if (end < 0) {
                        position = text.length() - 1;
                        return "a quote that is never closed";
                    }
                    String field = text.substring(start + 1, end);
                    line += (int) field.chars().filter(c -> c == '\n').count();
                    fields.add(field.replace("\"\"", "\""));
                    position = end + 1;
                    if (",\n".indexOf(text.charAt(position)) < 0) {
                        return "text after a closing quote, expected a comma or the end of the line";
                    }
                } else {
                    while (",\"\n".indexOf(text.charAt(position)) < 0) {
                        position++;
                    }
                    if (text.charAt(position) == '"') {
                        return "a quote inside a field, expected the whole field in quotes";
                    }
                    fields.add(text.substring(start, position));
                }
                if (text.charAt(position) == '\n') {
                    return "";
                }
                position++;
            }
        }
    }
}
