package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a review whose spec holds texts and flags and nothing else; members that are not known are left out. */
final class PlainSpec {
    private final Set<String> known;
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    private PlainSpec(Set<String> known) {
        this.known = known;
    }

    /**
     * Reads one.
     *
     * @param known the members of the spec, a flag's with a question mark behind it
     * @throws StatusException 400 for what is malformed or another kind, 413 for what is too large
     */
    static PlainSpec read(byte[] body, int maxBytes, String kind, ReviewVersion version, Set<String> known)
            throws StatusException {
        PlainSpec spec = new PlainSpec(known);
        Envelope.read(Body.of(body, maxBytes), kind, version, spec::spec);
        return spec;
    }

    /** A text, or null where it was not given. */
    @Nullable
    String text(String name) {
        return texts.get(name);
    }

    /** Whether a flag was given and is true. */
    boolean flag(String name) {
        return flags.contains(name);
    }

    private void spec(Members members) throws IOException, StatusException {
        if (!members.object("spec")) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            String path = "spec." + name;
            boolean isFlag = known.contains(name + "?");
            if (!isFlag && !known.contains(name)) {
                members.skip();
                continue;
            }
            if (!seen.add(name)) {
                throw Members.malformed(path + ": given twice");
            }
            if (!isFlag && members.json.currentToken() != JsonToken.VALUE_NULL) {
                texts.put(name, members.string(path));
            } else if (isFlag && members.bool(path)) {
                flags.add(name);
            }
        }
    }
}
