package io.plat.fronts.authzen;

import io.plat.fronts.authzen.EvaluationReader.Page;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.codec.Members;
import io.plat.review.status.StatusException;
import io.plat.tls.files.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.SortedSet;

/**
 * A page of a result sorted by id. Its token has a digest of the evaluation, the limit and the last id of the previous page, so that the server is
 * stateless and the page starts after that id even if the policy changes.
 *
 * @param limit maximum number of entities
 * @param after the id after which it starts, {@code ""} for the first page
 */
record ResultPage(String digest, int limit, String after) {
    /** Maximum number of entities of a page. */
    private static final int MAX_LIMIT = 1_000;

    private static final int MAX_TOKEN = 32 << 10;

    /** Length of a digest in hexadecimal digits. */
    private static final int DIGITS = 32;

    /**
     * Returns the requested page.
     *
     * @throws StatusException if the token belongs to another evaluation or limit
     */
    static ResultPage of(Part part, EvaluationRequest evaluation, Page page) throws StatusException {
        String digest = Sha256.hex(part + " " + evaluation).substring(0, DIGITS);
        Integer requested = page.limit();
        int limit = requested == null ? MAX_LIMIT : Math.min(requested, MAX_LIMIT);
        if (page.token().isEmpty()) {
            return new ResultPage(digest, limit, "");
        }
        String[] parts = decoded(page.token()).split(":", 3);
        if (parts.length != 3 || !parts[0].equals(digest)) {
            throw Members.malformed("page.token: it belongs to another request; expected the next_token of this one");
        }
        if (requested != null && !parts[1].equals(Integer.toString(limit))) {
            throw Members.malformed("page.limit: expected the limit of the first page, or none");
        }
        if (!parts[1].matches("[0-9]{1,4}")) {
            throw Members.malformed("page.token: malformed");
        }
        // Clients can write a token themselves.
        return new ResultPage(digest, Math.min(Integer.parseInt(parts[1]), MAX_LIMIT), parts[2]);
    }

    private static String decoded(String token) throws StatusException {
        try {
            if (token.length() <= MAX_TOKEN) {
                return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            }
        } catch (IllegalArgumentException notBase64) {
            throw Members.malformed("page.token: malformed");
        }
        throw Members.malformed("page.token: too long");
    }

    /** Returns the ids of the page. */
    List<String> select(SortedSet<String> all) {
        return rest(all).stream().limit(limit).toList();
    }

    /** Returns the token of the next page, {@code ""} if this is the last one. */
    String next(List<String> selected, SortedSet<String> all) {
        if (rest(all).size() == selected.size()) {
            return "";
        }
        String last = selected.isEmpty() ? after : selected.getLast();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((digest + ":" + limit + ":" + last).getBytes(StandardCharsets.UTF_8));
    }

    private SortedSet<String> rest(SortedSet<String> all) {
        return after.isEmpty() ? all : all.tailSet(after + "\0");
    }
}
