package io.plat.cel.text;

import com.google.re2j.Pattern;
import java.net.Inet4Address;
import java.net.URI;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** String formats of schemas. An unknown format allows every string, as in Kubernetes. */
public final class TextFormats {
    private static final String HEX8 = "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?";
    private static final String HEX12 = "[0-9a-fA-F]{12}";

    private static final String BYTE = "(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    private static final String WORD = "[a-zA-Z0-9\\p{S}\\p{L}]";
    private static final String DASHED = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    private static final Map<String, Pattern> PATTERNS = Map.ofEntries(
            Map.entry("uuid", whole(HEX8 + "[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?" + HEX12)),
            Map.entry("uuid3", whole(HEX8 + "3[0-9a-fA-F]{3}-?[0-9a-fA-F]{4}-?" + HEX12)),
            Map.entry("uuid4", whole(HEX8 + "4[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?" + HEX12)),
            Map.entry("uuid5", whole(HEX8 + "5[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?" + HEX12)),
            Map.entry("hexcolor", whole("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
            Map.entry("ssn", whole("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")),
            Map.entry("bsonobjectid", whole("[0-9a-fA-F]{24}")),
            Map.entry("mac", whole("([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2})|([0-9a-fA-F]{4}\\.){2}[0-9a-fA-F]{4}")),
            Map.entry("byte", whole("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")),
            Map.entry("rgbcolor", whole("rgb\\(\\s*" + BYTE + "\\s*,\\s*" + BYTE + "\\s*,\\s*" + BYTE + "\\s*\\)")),
            Map.entry("k8sshortname", whole("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")),
            Map.entry("k8slongname", whole(DASHED + "(\\." + DASHED + ")*")),
            Map.entry("email", whole("[^@\\s<>]+@[^@\\s<>]+")),
            Map.entry(
                    "hostname",
                    whole(WORD + "(-?" + WORD + "{0,62})?|(" + WORD + "([-a-zA-Z0-9\\p{S}\\p{L}]{0,61}" + WORD
                            + ")?\\.)+[a-zA-Z\\p{L}]{2,63}")),
            Map.entry("duration", whole("[-+]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+")));

    /** URI that consists of a scheme only, which is absolute in Kubernetes. */
    private static final Pattern SCHEME = whole("[A-Za-z][A-Za-z0-9+.-]*:");

    /** A number with a unit of time, anywhere in a text. */
    private static final Pattern UNIT =
            Pattern.compile("(?i)[0-9]\\s*(ns|nano[a-z\u00b5]*|us|\u00b5s|micro[a-z\u00b5]*|ms"
                    + "|milli[a-z\u00b5]*|s|sec[a-z\u00b5]*|m|min[a-z\u00b5]*|h|hr|hour[a-z\u00b5]*|d|day[a-z\u00b5]*|w|wk"
                    + "|week[a-z\u00b5]*)([^a-z\u00b5]|$)");

    private static final Pattern CARD = whole("4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9][0-9])[0-9]{12}"
            + "|3[47][0-9]{13}|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11}");

    private static final Pattern PREFIX = whole("[0-9]{1,3}");

    private TextFormats() {}

    private static Pattern whole(String pattern) {
        return Pattern.compile("^(" + pattern + ")$");
    }

    /** Returns whether a string has a format; dashes in the name of the format are ignored. */
    public static boolean holds(String format, String text) {
        String name = format.replace("-", "");
        Pattern pattern = PATTERNS.get(name);
        if (pattern != null) {
            boolean holds = pattern.matches(text);
            return switch (name) {
                case "duration" -> holds || UNIT.matcher(text).find();
                case "k8slongname" -> holds && text.length() <= 253;
                default -> holds;
            };
        }
        return switch (name) {
            case "date" -> parses(() -> LocalDate.parse(text));
            case "datetime" -> parses(() -> OffsetDateTime.parse(text.replace(' ', 'T')));
            // A request target: an absolute URI, or an absolute path.
            case "uri" ->
                SCHEME.matches(text)
                        || (parses(() -> URI.create(text))
                                && (text.startsWith("/") || URI.create(text).isAbsolute()));
            case "ipv4" -> isIpv4(text);
            case "ipv6" -> isIpv6(text);
            case "cidr" -> isCidr(text);
            case "isbn" -> isIsbn(text, 10) || isIsbn(text, 13);
            case "isbn10" -> isIsbn(text, 10);
            case "isbn13" -> isIsbn(text, 13);
            case "creditcard" -> isCreditCard(text.replaceAll("[^0-9]+", ""));
            default -> true;
        };
    }

    private static boolean parses(Supplier<@Nullable Object> parser) {
        try {
            return parser.get() != null;
        } catch (DateTimeException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isIpv4(String text) {
        return IpLiterals.address(text).filter(Inet4Address.class::isInstance).isPresent();
    }

    /** Accepts more than {@link IpLiterals}: an embedded IPv4 address. */
    private static boolean isIpv6(String text) {
        // Brackets admit only a literal of this form, and no name is looked up.
        return text.indexOf(':') >= 0
                && text.indexOf('[') < 0
                && text.indexOf('%') < 0
                && parses(() -> URI.create("http://[" + text + "]/").getHost());
    }

    /** Returns whether a text is an ISBN of a length, with a valid check digit. */
    private static boolean isIsbn(String text, int length) {
        String digits = text.replaceAll("[\\s-]", "");
        if (!digits.matches(length == 10 ? "[0-9]{9}[0-9X]" : "[0-9]{13}")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < length; i++) {
            int digit = digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0';
            sum += digit * (length == 10 ? i + 1 : i % 2 == 0 ? 1 : 3);
        }
        return sum % (length == 10 ? 11 : 10) == 0;
    }

    private static boolean isCreditCard(String digits) {
        int sum = 0;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int digit = digits.charAt(i) - '0';
            int doubled = (digits.length() - i) % 2 == 0 ? 2 * digit : digit;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return CARD.matches(digits) && sum % 10 == 0;
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !PREFIX.matches(text.substring(slash + 1))) {
            return false;
        }
        String address = text.substring(0, slash);
        int bits = Integer.parseInt(text.substring(slash + 1));
        return isIpv4(address) ? bits <= 32 : isIpv6(address) && bits <= 128;
    }
}
