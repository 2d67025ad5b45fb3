package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A JSON document in a part of an array. */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would defeat the purpose of the slice
public record JsonBody(byte[] bytes, int offset, int length) {
    /** Maximum nesting depth of members, including unknown ones. */
    static final int MAX_DEPTH = 64;

    /** Maximum length of a string, in characters: paths and selectors are from URLs and are far shorter. */
    static final int MAX_STRING = 256 << 10;

    private static final MemberNames REVIEW = MemberNames.of("apiVersion", "kind", "spec");

    static final JsonFactory JSON = JsonFactories.exact()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_STRING)
                    .maxNameLength(8 << 10)
                    // Numbers are not converted, so that long ones in unknown fields are cheap.
                    .maxNumberLength(ReviewCodec.DEFAULT_MAX_BYTES)
                    .build())
            .build();

    public JsonBody {
        Objects.checkFromIndexSize(offset, length, bytes.length);
    }

    /**
     * Returns the document in a whole array.
     *
     * @throws StatusException 413 if it is too large
     */
    static JsonBody of(byte[] bytes, int maxBytes) throws StatusException {
        if (bytes.length > maxBytes) {
            throw new StatusException(ReviewCodec.tooLarge(maxBytes));
        }
        return new JsonBody(bytes, 0, bytes.length);
    }

    /** Validates a limit on the size of a body, in bytes. */
    static int requireLimit(int maxBytes) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("the limit of a body must be positive: " + maxBytes);
        }
        return maxBytes;
    }

    /** Returns a parser that reads bytes as UTF-8 (RFC 8259, section 8.1), without guessing another encoding. */
    JsonParser parser() throws IOException {
        return JSON.createParser(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }

    /** Reader of the content of an object whose start was read. */
    @FunctionalInterface
    public interface Content {
        void read(Members members) throws IOException, StatusException;
    }

    /**
     * Reads a document that is one object.
     *
     * @param title its name in messages
     * @param expected its expected type
     * @param whole the name of the whole document, for messages about trailing content
     * @throws StatusException 400 if it is malformed
     */
    public void read(String title, String expected, String whole, Content content) throws StatusException {
        if (!isUtf8()) {
            throw Members.malformed(title + " is not valid UTF-8");
        }
        try (JsonParser json = parser()) {
            Members members = new Members(json);
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw members.wrongType(title, expected);
            }
            content.read(members);
            if (json.nextToken() != null) {
                throw Members.malformed("unexpected content after the " + whole);
            }
        } catch (JsonProcessingException e) {
            throw Members.malformed(title + " is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw Members.malformed(title + " is not valid JSON");
        }
    }

    /**
     * Reads a review whose path determines its kind and version: the review may omit them, but must not contradict them.
     *
     * @param spec reads the spec, whose first token is the current one
     * @throws StatusException 400 if it is malformed or of another kind
     */
    void readReview(String kind, String apiVersion, Content spec) throws StatusException {
        read("the body", kind, kind, members -> {
            Members.Known known = members.known(REVIEW);
            for (String name = known.next(); name != null; name = known.next()) {
                switch (name) {
                    case "apiVersion" -> require(name, apiVersion, members.string());
                    case "kind" -> require(name, kind, members.string());
                    default -> spec.read(members);
                }
            }
        });
    }

    private static void require(String name, String expected, String actual) throws StatusException {
        if (!actual.isEmpty()) {
            expect(name, expected, actual);
        }
    }

    static void expect(String name, String expected, String actual) throws StatusException {
        if (!actual.equals(expected)) {
            throw Members.malformed(name + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(actual));
        }
    }

    /**
     * Returns whether the bytes are valid UTF-8. The parser itself accepts overlong forms and encoded surrogates, which another reader of the
     * same bytes would read differently.
     */
    private boolean isUtf8() {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0) {
                return decodes(i);
            }
        }
        return true;
    }

    private boolean decodes(int from) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, offset + length - from));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
