package io.plat.apiserver.custom.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.runtime.CelEvaluationException;
import io.plat.apiserver.custom.schema.SchemaNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles the rules of one schema. */
final class RuleCompiler {
    private final CelTypes types;
    private final Map<SchemaNode, DeclaredSize> sizes;

    RuleCompiler(SchemaNode root) {
        this.types = new CelTypes(root);
        this.sizes = DeclaredSize.all(root);
    }

    /** How often values of a schema fit into a request. */
    long times(SchemaNode schema) {
        @Nullable DeclaredSize size = sizes.get(schema);
        return size == null ? 1 : size.times();
    }

    /** An expression that can't be used, and why. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean ofMessage;

        UnusableException(String why, boolean ofMessage) {
            super(why);
            this.ofMessage = ofMessage;
        }

        /** Whether it is the expression that makes the message. */
        boolean ofMessage() {
            return ofMessage;
        }

        /** Why. */
        String why() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Compiles a rule on the values of a schema.
     *
     * @throws UnusableException if it can't be
     */
    Rule compile(SchemaNode schema, JsonNode source) throws UnusableException {
        CelType self = types.of(schema);
        String text = source.path("rule").asText("").strip();
        boolean optional = source.path("optionalOldSelf").asBoolean();
        CelValidationResult alone = check(builder(self, null, SimpleType.BOOL), text);
        boolean usesOld = alone.hasError();
        @Nullable CelType old = optional ? OptionalType.create(self) : self;
        CelValidationResult checked = usesOld ? check(builder(self, old, SimpleType.BOOL), text) : alone;
        CelAbstractSyntaxTree rule = tree(checked, false);
        String message = source.path("messageExpression").asText("").strip();
        @Nullable
        CelAbstractSyntaxTree made = message.isEmpty()
                ? null
                : tree(check(builder(self, usesOld ? old : null, SimpleType.STRING), message), true);
        return new Rule(
                source,
                program(rule, false),
                made == null ? null : program(made, true),
                usesOld,
                optional,
                estimate(rule, schema),
                made == null ? 0 : estimate(made, schema));
    }

    private long estimate(CelAbstractSyntaxTree tree, SchemaNode schema) {
        @Nullable DeclaredSize size = sizes.get(schema);
        return size == null ? 0 : Estimate.of(tree, size);
    }

    private static CelValidationResult check(CelCompiler compiler, String text) {
        return compiler.compile(text);
    }

    private CelCompiler builder(CelType self, @Nullable CelType old, CelType result) {
        CelCompilerBuilder builder = Language.compiler()
                .setTypeProvider(types.provider())
                .addVar("self", self)
                .setResultType(result);
        if (old != null) {
            builder.addVar("oldSelf", old);
        }
        return builder.build();
    }

    private static CelAbstractSyntaxTree tree(CelValidationResult checked, boolean ofMessage) throws UnusableException {
        try {
            return checked.getAst();
        } catch (CelValidationException e) {
            throw new UnusableException(Language.failure(checked), ofMessage);
        }
    }

    private static MeteredProgram program(CelAbstractSyntaxTree tree, boolean ofMessage) throws UnusableException {
        try {
            return new MeteredProgram(Language.RUNTIME, tree);
        } catch (CelEvaluationException e) {
            throw new UnusableException(Language.failure(String.valueOf(e.getMessage())), ofMessage);
        }
    }
}
