package io.plat.fronts.check;

import io.plat.http.authentication.Credentials;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** Header fields of an HTTP request in UTF-8; the server itself reads them as ISO 8859-1. */
public record RequestFields(HttpFields fields) implements Credentials {
    /** Replacement for a value that is not UTF-8: a control character, which no reader of a field accepts. */
    private static final String MALFORMED = "\0";

    @Override
    public List<String> headers(String name) {
        List<String> values = List.of();
        for (HttpField field : fields) {
            if (field.is(name)) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(utf8(field.getValue()));
            }
        }
        return values;
    }

    @Override
    public Collection<String> headerNames() {
        return fields.getFieldNamesCollection();
    }

    private static String utf8(@Nullable String value) {
        return value == null || value.chars().allMatch(c -> c < 0x80)
                ? Objects.requireNonNullElse(value, "")
                : utf8(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Decodes the value of a field; one that is not UTF-8 becomes {@link #MALFORMED}. */
    public static String utf8(ByteBuffer value) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(value).toString();
        } catch (CharacterCodingException _) {
            return MALFORMED;
        }
    }
}
