package io.plat.fronts.check;

import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Header fields of an answer to a proxy. Their values are printable ASCII: other characters, percent signs, and commas in a group's name, are
 * percent-encoded.
 *
 * @param fields the fields of answers that allow
 */
public record AnswerFields(Set<Field> fields) {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** The field with the reason of a decision. */
    public static final String REASON = "X-Auth-Reason";

    /** A field that an answer may have, for a proxy to pass on. */
    public enum Field {
        USER("X-Auth-User"),
        GROUPS("X-Auth-Groups"),
        DECISION("X-Auth-Decision-Id"),
        REVISION("X-Auth-Policy-Revision");

        private final String text;

        Field(String text) {
            this.text = text;
        }

        /** Returns the field of a name, in any case. */
        public static Optional<Field> of(String name) {
            return Stream.of(values())
                    .filter(field -> field.text.equalsIgnoreCase(name))
                    .findFirst();
        }

        /** Returns the name as it is sent. */
        @Override
        public String toString() {
            return text;
        }
    }

    public AnswerFields(List<Field> named) {
        this(Set.copyOf(named));
    }

    public AnswerFields {
        fields = fields.isEmpty() ? Set.of() : EnumSet.copyOf(fields);
    }

    /**
     * Returns the fields of an answer that allows.
     *
     * @return values by name, in a fixed order
     */
    public Map<String, String> values(UserInfo user, String decisionId, String policyRevision) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Field field : fields) {
            values.put(
                    field.text,
                    switch (field) {
                        case USER -> encoded(user.name(), "%");
                        case GROUPS ->
                            user.groups().stream()
                                    .map(group -> encoded(group, "%,"))
                                    .collect(Collectors.joining(","));
                        case DECISION -> decisionId;
                        case REVISION -> policyRevision;
                    });
        }
        return values;
    }

    /** Returns the value of {@link #REASON}, of bounded length. */
    public static String reason(String text) {
        return encoded(Quoted.shortLine(text), "%");
    }

    /** Percent-encodes some characters, and all that are not printable ASCII. */
    private static String encoded(String text, String special) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet < ' ' || octet == 0x7f || special.indexOf(octet) >= 0) {
                encoded.append('%').append(HEX.toHexDigits(octet));
            } else {
                encoded.append((char) octet);
            }
        }
        return encoded.toString();
    }
}
