package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of an expression.
 *
 * @param type of what type it is; any, where it can't be used
 * @param problem why it can't be used; {@code ""} where it can
 */
record Compiled(CelType type, String problem) {
    static Compiled unusable(String problem) {
        return new Compiled(SimpleType.DYN, problem);
    }

    /** Says so where it is of none of the types that its field wants. */
    Compiled wanting(CelType... wanted) {
        List<String> names = List.of(wanted).stream().map(Compiled::shown).toList();
        if (!problem.isEmpty() || names.contains(shown(type))) {
            return this;
        }
        return unusable(
                names.size() == 1
                        ? "must evaluate to " + names.getFirst() + " but got " + shown(type)
                        : names.stream().collect(Collectors.joining(" ", "must evaluate to one of [", "]"))
                                + " but got " + shown(type));
    }

    /** Says so where it is neither true nor false and can't turn out to be. */
    Compiled wantingTruth() {
        return !problem.isEmpty() || type.equals(SimpleType.BOOL) || type.equals(SimpleType.DYN)
                ? this
                : unusable("must evaluate to bool or the unknown type, not " + shown(type));
    }

    private static String shown(CelType type) {
        return type.equals(SimpleType.NULL_TYPE) ? "null_type" : CelTypes.format(type);
    }
}
