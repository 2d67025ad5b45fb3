package io.plat.engine.rbac.index;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

/** A name for a suggested role and its binding: what it is for, and what no object there has. */
final class SuggestedName {
    private static final int READABLE = 40;
    private static final int DIGITS = 8;

    private SuggestedName() {}

    /**
     * The same for the same request, while it is not taken.
     *
     * @param isTaken whether an object of that name exists, or one that something refers to
     */
    static String of(Attributes asked, Predicate<String> isTaken) {
        String readable = readable(asked);
        for (int attempt = 0; ; attempt++) {
            String name = readable + digits(attempt + " " + asked.user().name() + " " + asked.access());
            if (!isTaken.test(name)) {
                return name;
            }
        }
    }

    private static String readable(Attributes asked) {
        String target = switch (asked.access()) {
            case ResourceAttributes resource -> resource.resource();
            case NonResourceAttributes path -> path.path();
        };
        StringBuilder name = new StringBuilder();
        for (String part : List.of(asked.user().name(), asked.access().verb(), target)) {
            append(name, part);
        }
        return name.toString();
    }

    /** Letters and digits, and one dash for whatever stands between them; each part ends with a dash. */
    private static void append(StringBuilder name, String part) {
        for (int i = 0; i < part.length() && name.length() < READABLE; i++) {
            char c = Character.toLowerCase(part.charAt(i));
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                name.append(c);
            } else {
                dash(name);
            }
        }
        dash(name);
    }

    private static void dash(StringBuilder name) {
        if (!name.isEmpty() && name.charAt(name.length() - 1) != '-') {
            name.append('-');
        }
    }

    private static String digits(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
