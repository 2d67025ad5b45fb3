package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.util.HashMap;
import java.util.Map;

/**
 * The spec of a review that holds texts and flags and nothing else; members that are not known are left out.
 *
 * @param texts those that are given and not null, by name
 * @param isFlagged whether the flag is given and true
 */
record PlainSpec(Map<String, String> texts, boolean isFlagged) {
    /**
     * Reads one.
     *
     * @param known the members of the spec
     * @param flag the one of them that is a flag; {@code ""} for none
     * @throws StatusException 400 for what is malformed or another kind, 413 for what is too large
     */
    static PlainSpec read(byte[] body, int maxBytes, String kind, ReviewVersion version, Names known, String flag)
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
