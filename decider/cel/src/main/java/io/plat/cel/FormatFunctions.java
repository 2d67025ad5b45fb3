package io.plat.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.plat.cel.text.TextFormats;
import io.plat.review.NameRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Named formats of strings: {@code !format.dns1123Label().validate(self.name).hasValue()}. Validation returns the list of problems, none
 * for a valid string.
 */
final class FormatFunctions extends FunctionLibrary {
    private static final Type<Format> FORMAT = Type.opaque("kubernetes.NamedFormat", Format.class);
    private static final Type<?> NAMED_FORMAT = new Type<>(OptionalType.create(FORMAT.cel()), Optional.class);
    private static final Type<?> PROBLEMS =
            new Type<>(OptionalType.create(ListType.create(SimpleType.STRING)), Optional.class);

    private interface Format extends Function<String, List<String>> {}

    private static final Map<String, Format> FORMATS = Map.ofEntries(
            Map.entry("dns1123Label", NameRule.LABEL::problems),
            Map.entry("dns1123LabelPrefix", NameRule.LABEL::problemsOfPrefix),
            Map.entry("dns1123Subdomain", NameRule.SUBDOMAIN::problems),
            Map.entry("dns1123SubdomainPrefix", NameRule.SUBDOMAIN::problemsOfPrefix),
            Map.entry("dns1035Label", NameRule.DNS_1035::problems),
            Map.entry("dns1035LabelPrefix", NameRule.DNS_1035::problemsOfPrefix),
            Map.entry("qualifiedName", NameRule::qualifiedName),
            Map.entry("labelValue", NameRule.LABEL_VALUE::problems),
            Map.entry("uri", text -> problems("uri", text, "invalid URI")),
            Map.entry("uuid", text -> problems("uuid", text, "does not match the UUID format")),
            Map.entry("byte", text -> problems("byte", text, "invalid base64")),
            Map.entry("date", text -> problems("date", text, "invalid date")),
            Map.entry("datetime", text -> problems("datetime", text, "invalid datetime")));

    // Formats are functions without state.
    @SuppressWarnings("Immutable")
    FormatFunctions() {
        FORMATS.forEach((name, format) -> constant("format." + name, FORMAT, none -> format));
        global("format.named", NAMED_FORMAT, TEXT, name -> Optional.ofNullable(FORMATS.get(name)));
        member(
                "validate",
                PROBLEMS,
                FORMAT,
                TEXT,
                (format, text) -> Optional.of(format.apply(text)).filter(problems -> !problems.isEmpty()));
    }

    private static List<String> problems(String format, String text, String problem) {
        return TextFormats.holds(format, text) ? List.of() : List.of(problem);
    }
}
