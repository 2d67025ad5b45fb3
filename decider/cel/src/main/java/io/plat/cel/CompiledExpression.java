package io.plat.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Result of compiling an expression.
 *
 * @param tree checked expression; null if invalid
 * @param problem reason why it is invalid; {@code ""} if valid
 */
public record CompiledExpression(@Nullable CelAbstractSyntaxTree tree, String problem) {
    public static CompiledExpression of(CelCompiler compiler, String expression) {
        try {
            return new CompiledExpression(compiler.compile(expression).getAst(), "");
        } catch (CelValidationException | RuntimeException | StackOverflowError e) {
            return unusable(CelEnvironment.failure(String.valueOf(e.getMessage())));
        }
    }

    /** Returns the result for an invalid expression. */
    public static CompiledExpression unusable(String problem) {
        return new CompiledExpression(null, problem);
    }

    /** Returns the type of the expression; {@code any} if invalid. */
    public CelType type() {
        return tree == null ? SimpleType.DYN : tree.getResultType();
    }

    /** Requires one of several result types. */
    public CompiledExpression requiring(CelType... wanted) {
        List<String> names =
                List.of(wanted).stream().map(CompiledExpression::shown).toList();
        if (!problem.isEmpty() || names.contains(shown(type()))) {
            return this;
        }
        String all =
                names.size() == 1 ? names.getFirst() : names.stream().collect(Collectors.joining(" ", "one of [", "]"));
        return unusable("must evaluate to " + all + " but got " + shown(type()));
    }

    /** Requires a boolean, possibly dynamic. */
    public CompiledExpression requiringBoolean() {
        return !problem.isEmpty() || type().equals(SimpleType.BOOL) || type().equals(SimpleType.DYN)
                ? this
                : unusable("must evaluate to bool or the unknown type, not " + shown(type()));
    }

    private static String shown(CelType type) {
        return type.equals(SimpleType.NULL_TYPE) ? "null_type" : CelTypes.format(type);
    }
}
