package io.plat.fronts.check;

import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Header fields of an answer to a proxy. Their values are printable ASCII: other characters, percent signs, commas in a group's name, and spaces at
 * the ends of a name are percent-encoded. Their length is limited: a longer value is sent empty, as a truncated one could have another meaning, and a
 * longer reason is truncated.
 *
 * @param fields the fields of answers that allow
 */
public record AnswerFields(Collection<Field> fields) {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** The field with the reason of a decision. */
    public static final String REASON = "X-Auth-Reason";

    /** Maximum length of a value, in characters. */
    private static final int MAX_VALUE = 2000;

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

        /** Returns the field of a name, ignoring case. */
        public static Optional<Field> of(String name) {
            return Stream.of(values())
                    .filter(field -> field.text.equalsIgnoreCase(name))
                    .findFirst();
        }

        /** Returns the name as sent. */
        @Override
        public String toString() {
            return text;
        }
    }

    public AnswerFields {
        fields = new TreeSet<>(fields);
    }

    /**
     * Returns the fields of an answer that allows.
     *
     * @return values by name, in a fixed order
     */
    public Map<String, String> values(UserInfo user, String decisionId, String policyRevision) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Field field : fields) {
            String value = switch (field) {
                case USER -> encoded(user.name(), "%");
                case GROUPS ->
                    user.groups().stream().map(group -> encoded(group, "%,")).collect(Collectors.joining(","));
                case DECISION -> decisionId;
                case REVISION -> policyRevision;
            };
            values.put(field.text, value.length() > MAX_VALUE ? "" : value);
        }
        return values;
    }

    /** Returns the value of {@link #REASON}, of bounded length. */
    public static String reason(String text) {
        String line = encoded(Quoted.shortLine(text), "%");
        return line.substring(0, Math.min(line.length(), MAX_VALUE));
    }

    /** Percent-encodes special characters, everything that is not printable ASCII, and a space at either end, which readers remove. */
    private static String encoded(String text, String special) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < octets.length; i++) {
            byte octet = octets[i];
            boolean removed = octet == ' ' && (i == 0 || i == octets.length - 1);
            if (removed || octet < ' ' || octet == 0x7f || special.indexOf(octet) >= 0) {
                encoded.append('%').append(HEX.toHexDigits(octet));
            } else {
                encoded.append((char) octet);
            }
        }
        return encoded.toString();
    }
}
