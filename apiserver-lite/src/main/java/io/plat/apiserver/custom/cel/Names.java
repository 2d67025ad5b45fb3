package io.plat.apiserver.custom.cel;

import java.util.Set;
import java.util.regex.Pattern;

/** What fields are called in expressions: a name that is no identifier, or that means something else, is escaped. */
final class Names {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Pattern ESCAPABLE = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_./-]*");

    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private Names() {}

    /** The name of a field in expressions; {@code ""} for one that they can't name. */
    static String escaped(String name) {
        if (RESERVED.contains(name)) {
            return "__" + name + "__";
        }
        if (IDENTIFIER.matcher(name).matches() && !name.contains("__")) {
            return name;
        }
        return ESCAPABLE.matcher(name).matches()
                ? name.replace("__", "__underscores__")
                        .replace(".", "__dot__")
                        .replace("-", "__dash__")
                        .replace("/", "__slash__")
                : "";
    }
}
