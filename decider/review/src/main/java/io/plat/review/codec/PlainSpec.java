package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a review whose spec holds texts and flags and nothing else; members that are not known are left out. */
final class PlainSpec {
    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final int SPEC = 4;

    private final String kind;
    private final Members members;
    private final Set<String> known;
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    private PlainSpec(String kind, Set<String> known, JsonParser json) {
        this.kind = kind;
        this.known = known;
        this.members = new Members(json);
    }

    /**
     * Reads one.
     *
     * @param known the members of the spec, a flag's with a question mark behind it
     * @throws StatusException 400 for what is malformed or another kind, 413 for what is too large
     */
    static PlainSpec read(byte[] body, int maxBytes, String kind, ReviewVersion version, Set<String> known)
            throws StatusException {
        if (body.length > maxBytes) {
            throw new StatusException(ReviewCodec.tooLarge(maxBytes));
        }
        Body all = new Body(body, 0, body.length);
        if (!all.isUtf8()) {
            throw Members.malformed("the body is not valid UTF-8");
        }
        try (JsonParser json = all.parser()) {
            PlainSpec spec = new PlainSpec(kind, known, json);
            spec.review(version);
            return spec;
        } catch (JsonProcessingException e) {
            throw Members.malformed("the body is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw Members.malformed("the body is not valid JSON");
        }
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

    private void review(ReviewVersion version) throws IOException, StatusException {
        if (members.json.nextToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("the body", kind);
        }
        int seen = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            switch (name) {
                case "apiVersion" -> {
                    seen = Members.once(seen, API_VERSION, name);
                    require(name, version.apiVersion());
                }
                case "kind" -> {
                    seen = Members.once(seen, KIND, name);
                    require(name, kind);
                }
                case "spec" -> {
                    seen = Members.once(seen, SPEC, name);
                    spec();
                }
                default -> members.skip();
            }
        }
        if (members.json.nextToken() != null) {
            throw Members.malformed("unexpected content after the " + kind);
        }
    }

    private void require(String name, String expected) throws IOException, StatusException {
        String found = members.string(name);
        if (!found.isEmpty() && !found.equals(expected)) {
            throw Members.malformed(name + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(found));
        }
    }

    private void spec() throws IOException, StatusException {
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
