package io.plat.apiserver.custom.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.custom.schema.TextFormats;
import io.plat.apiserver.resource.NameRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What names and other texts have to look like, in rules, as existing servers have it:
 * {@code !format.dns1123Label().validate(self.name).hasValue()}. What is wrong with a text is a list of lines; there is none for one
 * that is right.
 */
final class FormatFunctions extends FieldLibrary {
    private static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
    private static final CelType PROBLEMS = OptionalType.create(ListType.create(SimpleType.STRING));

    /** Behind what it is made of. */
    static final FormatFunctions INSTANCE = new FormatFunctions();

    private final Map<String, Format> formats = new LinkedHashMap<>();

    /** A format, which is the same as another one of its name. */
    private record Format(String name, Function<String, List<String>> problems) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Format format && format.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    private FormatFunctions() {
        name("dns1123Label", NameRule.LABEL);
        name("dns1123Subdomain", NameRule.SUBDOMAIN);
        name("dns1035Label", NameRule.DNS_1035);
        add("qualifiedName", text -> NameRule.qualifiedName(text).stream().toList());
        add("labelValue", NameRule.LABEL_VALUE::problems);
        text("uri", "uri", "invalid URI");
        text("uuid", "uuid", "does not match the UUID format");
        text("byte", "byte", "invalid base64");
        text("date", "date", "invalid date");
        text("datetime", "datetime", "invalid datetime");
        formats.forEach((name, format) -> constant("format." + name, FORMAT, format));
        function(
                "format.named",
                false,
                OptionalType.create(FORMAT),
                SimpleType.STRING,
                String.class,
                name -> Optional.ofNullable(formats.get(name)));
        member(
                "validate",
                PROBLEMS,
                FORMAT,
                Format.class,
                SimpleType.STRING,
                String.class,
                (format, text) -> Optional.of(format.problems().apply(text)).filter(problems -> !problems.isEmpty()));
    }

    /** A rule of names, and the same of what names are begun with. */
    private void name(String name, NameRule rule) {
        add(name, rule::problems);
        add(name + "Prefix", rule::problemsOfPrefix);
    }

    private void text(String name, String format, String problem) {
        add(name, text -> TextFormats.holds(format, text) ? List.of() : List.of(problem));
    }

    private void add(String name, Function<String, List<String>> problems) {
        formats.put(name, new Format(name, problems));
    }
}
