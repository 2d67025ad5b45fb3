package io.plat.apiserver.custom.cel;

import io.plat.apiserver.schema.ExpressionWords;
import java.util.regex.Pattern;

/** What fields are called in expressions: a name that is no identifier, or that means something else, is escaped. */
final class Names {
    private static final Pattern ESCAPABLE = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_./-]*");

    private Names() {}

    /** The name of a field in expressions; {@code ""} for one that they can't name. */
    static String escaped(String name) {
        if (ExpressionWords.reserved(name)) {
            return "__" + name + "__";
        }
        if (ExpressionWords.isIdentifier(name) && !name.contains("__")) {
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
