package io.plat.review.source;

import java.math.BigInteger;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Types of YAML's unquoted scalars, as kubectl and similar tools read them.
 *
 * <p>They use YAML 1.1 for booleans and 1.2 for the rest: {@code yes}, {@code on} and the like are booleans, times and sexagesimal numbers are
 * strings. Reading {@code on} as a string would accept a manifest that they interpret differently.
 */
final class ScalarTypes extends Resolver {
    /** Longer numbers are strings: no number in a manifest is that long, and conversion takes quadratic time. */
    private static final int MAX_NUMBER = 100;

    private static final int MAX_WORD = 10;
    private static final Pattern TRUE = Pattern.compile("y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON");
    private static final Pattern BOOLEAN = Pattern.compile(TRUE + "|n|N|no|No|NO|false|False|FALSE|off|Off|OFF");
    private static final Pattern NOTHING = Pattern.compile("|~|null|Null|NULL");
    private static final Pattern WHOLE =
            Pattern.compile("[-+]?(0b_*[01][01_]*|0o?_*[0-7][0-7_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|0_*|[1-9][0-9_]*)");
    private static final Pattern NUMBER = Pattern.compile(
            "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    @Override
    protected void addImplicitResolvers() {
        addImplicitResolver(Tag.MERGE, Pattern.compile("<<"), "<", MAX_WORD);
        addImplicitResolver(Tag.NULL, NOTHING, "~nN\0", MAX_WORD);
        addImplicitResolver(Tag.BOOL, BOOLEAN, "yYtToOnNfF", MAX_WORD);
        addImplicitResolver(Tag.INT, WHOLE, "-+0123456789", MAX_NUMBER);
        addImplicitResolver(Tag.FLOAT, NUMBER, "-+.0123456789", MAX_NUMBER);
    }

    /** Returns the type of an unquoted text. */
    Tag plain(String text) {
        return resolve(NodeId.scalar, text, true);
    }

    /** Returns whether a text is valid for the type of a tag. */
    boolean matches(Tag tag, String text) {
        Tag own = plain(text);
        return own.equals(tag)
                || (tag.equals(Tag.FLOAT)
                        && own.equals(Tag.INT)
                        && NUMBER.matcher(text).matches());
    }

    static boolean isTrue(String text) {
        return TRUE.matcher(text).matches();
    }

    /** Returns an integer in plain decimal digits, from any base. */
    static String decimal(String value) {
        String digits = value.replace("_", "");
        boolean negative = digits.startsWith("-");
        if (negative || digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        int radix = 10;
        int from = 0;
        if (digits.startsWith("0x")) {
            radix = 16;
            from = 2;
        } else if (digits.startsWith("0b")) {
            radix = 2;
            from = 2;
        } else if (digits.length() > 1 && digits.startsWith("0")) {
            radix = 8;
            from = digits.startsWith("0o") ? 2 : 1;
        }
        BigInteger number = new BigInteger(digits.substring(from), radix);
        return (negative ? number.negate() : number).toString();
    }
}
