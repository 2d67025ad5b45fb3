package io.plat.cel.text;

import com.google.re2j.Pattern;
import java.net.Inet4Address;
import java.net.URI;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** String formats of schemas. An unknown format allows every string, as in Kubernetes. */
public final class TextFormats {
    private static final String HEX8 = "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?";
    private static final String HEX12 = "[0-9a-fA-F]{12}";

    private static final Map<String, Pattern> PATTERNS = Map.ofEntries(
            Map.entry("uuid", whole(HEX8 + "[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?" + HEX12)),
            Map.entry("uuid3", whole(HEX8 + "3[0-9a-fA-F]{3}-?[0-9a-fA-F]{4}-?" + HEX12)),
            Map.entry("uuid4", whole(HEX8 + "4[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?" + HEX12)),
            Map.entry("uuid5", whole(HEX8 + "5[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?" + HEX12)),
            Map.entry("hexcolor", whole("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
            Map.entry("ssn", whole("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")),
            Map.entry("bsonobjectid", whole("[0-9a-fA-F]{24}")),
            Map.entry("mac", whole("([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2})|([0-9a-fA-F]{4}\\.){2}[0-9a-fA-F]{4}")),
            Map.entry("email", whole("[^@\\s<>]+@[^@\\s<>]+")),
            Map.entry(
                    "hostname",
                    whole("([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9])(\\.([a-zA-Z0-9]"
                            + "|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]))*\\.?")),
            Map.entry("duration", whole("[-+]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+")));

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
            return pattern.matches(text);
        }
        return switch (name) {
            case "date" -> parses(() -> LocalDate.parse(text));
            case "datetime" -> parses(() -> OffsetDateTime.parse(text.replace(' ', 'T')));
            case "byte" -> parses(() -> Base64.getDecoder().decode(text));
            // A request target: an absolute URI, or an absolute path.
            case "uri" ->
                parses(() -> URI.create(text))
                        && (text.startsWith("/") || URI.create(text).isAbsolute());
            case "ipv4" -> isIpv4(text);
            case "ipv6" -> isIpv6(text);
            case "cidr" -> isCidr(text);
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
