package io.plat.apiserver.custom.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.Optional;

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

    private FormatFunctions() {
        for (TextFormat format : TextFormat.values()) {
            constant("format." + format.word(), FORMAT, arguments -> format);
        }
        function(
                "format.named", false, OptionalType.create(FORMAT), SimpleType.STRING, String.class, TextFormat::named);
        member(
                "validate",
                PROBLEMS,
                FORMAT,
                TextFormat.class,
                SimpleType.STRING,
                String.class,
                (format, text) -> Optional.of(format.problems(text)).filter(problems -> !problems.isEmpty()));
    }
}
