package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.util.HashMap;
import java.util.Map;

/**
 * The spec of a review of texts and flags only; unknown members are ignored.
 *
 * @param texts the given non-null texts, by name
 * @param isFlagged whether the flag is given and true
 */
record PlainSpec(Map<String, String> texts, boolean isFlagged) {
    /**
     * Reads a spec.
     *
     * @param known the members of the spec
     * @param flag the one of them that is a flag; {@code ""} for none
     * @throws StatusException 400 if it is malformed or of another kind, 413 if it is too large
     */
    static PlainSpec read(byte[] body, int maxBytes, String kind, ReviewVersion version, MemberNames known, String flag)
            throws StatusException {
        Map<String, String> texts = new HashMap<>();
        boolean[] flagged = {false};
        Body.of(body, maxBytes).readReview(kind, version, members -> {
            if (members.object()) {
                Members.Known given = members.known(known);
                for (String name = given.next(); name != null; name = given.next()) {
                    if (name.equals(flag)) {
                        flagged[0] = members.bool();
                    } else if (members.json.currentToken() != JsonToken.VALUE_NULL) {
                        texts.put(name, members.string());
                    }
                }
            }
        });
        return new PlainSpec(texts, flagged[0]);
    }
}
