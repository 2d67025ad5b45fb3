package io.plat.apiserver.schema;

import java.util.Set;

/** Words that mean something in expressions (CEL, section "Syntax"), so that nothing is called by them as it is. */
public final class ExpressionWords {
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

    private ExpressionWords() {}

    /** Whether a word is one. */
    public static boolean reserved(String word) {
        return RESERVED.contains(word);
    }

    /** Whether a name can stand in an expression as it is: letters, digits and {@code _}, no digit first, and no word that means something else. */
    public static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return !name.isEmpty() && !reserved(name);
    }
}
