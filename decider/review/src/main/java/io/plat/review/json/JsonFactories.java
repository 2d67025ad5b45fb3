package io.plat.review.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * Factories of JSON parsers without shared state. Jackson's usual parsers share a table of member names, which clients can fill with names of
 * their choice: names of equal hashes make it fail for every request.
 */
public final class JsonFactories {
    private JsonFactories() {}

    /** A builder of such a factory. */
    public static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
    }

    /** Such a factory with the library's limits; one for each mapper, which sets itself as the factory's codec. */
    public static JsonFactory create() {
        return builder().build();
    }

    /** The first bytes of an array as UTF-8 (RFC 8259, section 8.1); reading fails where they are not. */
    public static Reader utf8(byte[] bytes, int length) {
        return new InputStreamReader(new ByteArrayInputStream(bytes, 0, length), StandardCharsets.UTF_8.newDecoder());
    }
}
