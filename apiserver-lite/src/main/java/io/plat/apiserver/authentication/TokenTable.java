package io.plat.apiserver.authentication;

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
        this.usersByDigest = Map.copyOf(usersByDigest);
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
        if (fields.get(1).isEmpty()) {
            return Optional.of("an empty user name, expected token,user,uid");
        }
        return Optional.empty();
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
}
